SELECT
  region,
  COUNT(transaction_id) AS transactions
FROM semantic.v_payment_transactions
WHERE
  transaction_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
GROUP BY
  region
ORDER BY
  transactions DESC NULLS LAST,
  region
