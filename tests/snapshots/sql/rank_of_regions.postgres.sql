WITH measured AS (
  SELECT
    region,
    SUM(fee_amount) AS fees
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month = DATE '2026-10-01'
  GROUP BY
    region
)
SELECT
  region,
  fees,
  RANK() OVER (ORDER BY fees DESC NULLS LAST) AS fees_rank
FROM measured
ORDER BY
  fees DESC NULLS LAST,
  region
