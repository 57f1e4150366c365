WITH measured AS (
  SELECT
    payment_month AS month,
    SUM(CASE WHEN brand = 'Visa' THEN processed_amount END) AS processed_amount,
    SUM(processed_amount) AS processed_amount_total
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-08-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month
)
SELECT
  month,
  processed_amount,
  processed_amount / NULLIF(processed_amount_total, 0) AS processed_amount_share
FROM measured
ORDER BY
  month
