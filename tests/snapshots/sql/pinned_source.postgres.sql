SELECT
  region,
  COUNT(transaction_id) AS transactions
FROM semantic.v_payment_transactions
WHERE
  transaction_date BETWEEN CAST('2026-10-01' AS DATE) AND CAST('2026-10-31' AS DATE)
GROUP BY
  region
ORDER BY
  transactions DESC NULLS LAST,
  region
