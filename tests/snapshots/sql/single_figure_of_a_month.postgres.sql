SELECT
  SUM(processed_amount) AS processed_amount
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month = DATE '2026-10-01'
