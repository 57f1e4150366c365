SELECT
  payment_month AS month,
  SUM(transactions_count) AS transactions
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month BETWEEN DATE '2026-01-01' AND DATE '2026-10-01'
GROUP BY
  payment_month
ORDER BY
  month DESC
LIMIT 3
