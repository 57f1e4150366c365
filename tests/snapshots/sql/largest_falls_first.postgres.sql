WITH measured AS (
  SELECT
    region,
    SUM(CASE WHEN payment_month = DATE '2026-10-01' THEN processed_amount END) AS processed_amount,
    SUM(CASE WHEN payment_month = DATE '2026-09-01' THEN processed_amount END) AS processed_amount_previous
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-09-01' AND DATE '2026-10-01'
  GROUP BY
    region
)
SELECT
  region,
  processed_amount,
  processed_amount_previous,
  processed_amount - processed_amount_previous AS processed_amount_change,
  (
    processed_amount - processed_amount_previous
  ) / NULLIF(processed_amount_previous, 0) AS processed_amount_change_pct
FROM measured
ORDER BY
  processed_amount_change,
  region
LIMIT 2
