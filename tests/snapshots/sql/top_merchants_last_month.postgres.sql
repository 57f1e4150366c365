SELECT
  merchant_name AS merchant,
  SUM(processed_amount) AS processed_amount
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
GROUP BY
  merchant_name
ORDER BY
  processed_amount DESC NULLS LAST,
  merchant
LIMIT 10
