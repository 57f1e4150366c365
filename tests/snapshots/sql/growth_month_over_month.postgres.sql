WITH measured AS (
  SELECT
    payment_month AS month,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2025-12-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month
), calculated AS (
  SELECT
    month,
    processed_amount,
    CASE
      WHEN LAG(month) OVER (ORDER BY month) = (
        month - INTERVAL '1 MONTH'
      )
      THEN LAG(processed_amount) OVER (ORDER BY month)
    END AS processed_amount_previous
  FROM measured
)
SELECT
  month,
  processed_amount,
  processed_amount - processed_amount_previous AS processed_amount_change,
  (
    processed_amount - processed_amount_previous
  ) / NULLIF(processed_amount_previous, 0) AS processed_amount_change_pct
FROM calculated
WHERE
  month >= DATE '2026-01-01'
ORDER BY
  month
