SELECT
  payment_month AS month,
  mcc,
  mcc_description AS mcc_label,
  SUM(processed_amount) AS processed_amount
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month <= DATE '2026-10-01'
GROUP BY
  payment_month,
  mcc,
  mcc_description
ORDER BY
  month,
  mcc
