WITH measured AS (
  SELECT
    brand,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month = DATE '2026-10-01'
  GROUP BY
    brand
), calculated AS (
  SELECT
    brand,
    processed_amount,
    processed_amount / NULLIF(SUM(processed_amount) OVER (), 0) AS processed_amount_share
  FROM measured
)
SELECT
  brand,
  processed_amount,
  processed_amount_share
FROM calculated
WHERE
  brand IN ('Visa', 'Amex')
ORDER BY
  processed_amount DESC NULLS LAST,
  brand
