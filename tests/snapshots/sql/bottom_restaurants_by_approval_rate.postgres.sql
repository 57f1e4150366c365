SELECT
  merchant_name AS merchant,
  SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN DATE '2026-07-01' AND DATE '2026-09-30' AND mcc = '5812'
GROUP BY
  merchant_name
ORDER BY
  approval_rate,
  merchant
LIMIT 5
