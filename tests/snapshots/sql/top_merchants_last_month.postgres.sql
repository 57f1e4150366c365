SELECT
  merchant_name AS merchant,
  SUM(processed_amount) AS processed_amount
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN CAST('2026-10-01' AS DATE) AND CAST('2026-10-31' AS DATE)
GROUP BY
  merchant_name
ORDER BY
  processed_amount DESC NULLS LAST,
  merchant
LIMIT 10
