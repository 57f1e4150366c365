SELECT
  payment_month AS month,
  SUM(transactions_count) AS transactions
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month BETWEEN CAST('2026-01-01' AS DATE) AND CAST('2026-10-01' AS DATE)
GROUP BY
  payment_month
ORDER BY
  month DESC NULLS LAST
LIMIT 3
