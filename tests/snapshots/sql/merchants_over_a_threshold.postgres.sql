SELECT
  merchant_name AS merchant,
  SUM(declined_count) AS declined_transactions
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN DATE '2026-01-01' AND DATE '2026-10-31'
GROUP BY
  merchant_name
HAVING
  SUM(declined_count) > 150
ORDER BY
  declined_transactions DESC NULLS LAST,
  merchant
