WITH measured AS (
  SELECT
    payment_month AS month,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-01-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month
)
SELECT
  month,
  processed_amount,
  SUM(processed_amount) OVER (ORDER BY month ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS processed_amount_running_total
FROM measured
ORDER BY
  month
