WITH measured AS (
  SELECT
    payment_month AS month,
    brand,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-04-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month,
    brand
), calculated AS (
  SELECT
    month,
    brand,
    processed_amount,
    CASE
      WHEN LAG(month, 2) OVER (PARTITION BY brand ORDER BY month) = (
        month - INTERVAL '2 MONTH'
      )
      THEN AVG(processed_amount) OVER (PARTITION BY brand ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
    END AS processed_amount_moving_average
  FROM measured
)
SELECT
  month,
  brand,
  processed_amount,
  processed_amount_moving_average
FROM calculated
WHERE
  month >= DATE '2026-06-01'
ORDER BY
  month,
  brand
