WITH asked AS (
  SELECT
    payment_month AS month,
    brand,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-01-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month,
    brand
), earlier AS (
  SELECT
    CAST(payment_month + INTERVAL '12 MONTH' AS DATE) AS month,
    brand,
    SUM(processed_amount) AS processed_amount_previous
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2025-01-01' AND DATE '2025-10-01'
  GROUP BY
    CAST(payment_month + INTERVAL '12 MONTH' AS DATE),
    brand
), side_by_side AS (
  SELECT
    month,
    brand,
    processed_amount,
    CAST(NULL AS DECIMAL) AS processed_amount_previous
  FROM asked
  UNION ALL
  SELECT
    month,
    brand,
    CAST(NULL AS DECIMAL) AS processed_amount,
    processed_amount_previous
  FROM earlier
), measured AS (
  SELECT
    month,
    brand,
    MAX(processed_amount) AS processed_amount,
    MAX(processed_amount_previous) AS processed_amount_previous
  FROM side_by_side
  GROUP BY
    month,
    brand
)
SELECT
  month,
  brand,
  processed_amount,
  processed_amount_previous,
  processed_amount - processed_amount_previous AS processed_amount_change,
  (
    processed_amount - processed_amount_previous
  ) / NULLIF(processed_amount_previous, 0) AS processed_amount_change_pct
FROM measured
ORDER BY
  month,
  brand
