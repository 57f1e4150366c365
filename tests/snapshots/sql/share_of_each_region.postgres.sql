WITH measured AS (
  SELECT
    region,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-01-01' AND DATE '2026-06-01'
  GROUP BY
    region
)
SELECT
  region,
  processed_amount,
  processed_amount / NULLIF(SUM(processed_amount) OVER (), 0) AS processed_amount_share
FROM measured
ORDER BY
  processed_amount DESC NULLS LAST,
  region
