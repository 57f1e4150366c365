WITH measured AS (
  SELECT
    SUM(
      CASE
        WHEN payment_date BETWEEN CAST('2026-10-25' AS DATE) AND CAST('2026-10-31' AS DATE)
        THEN processed_amount
      END
    ) AS processed_amount,
    SUM(
      CASE
        WHEN payment_date BETWEEN CAST('2026-10-18' AS DATE) AND CAST('2026-10-24' AS DATE)
        THEN processed_amount
      END
    ) AS processed_amount_previous
  FROM semantic.v_daily_payment_metrics
  WHERE
    payment_date BETWEEN CAST('2026-10-18' AS DATE) AND CAST('2026-10-31' AS DATE)
)
SELECT
  processed_amount,
  processed_amount_previous,
  processed_amount - processed_amount_previous AS processed_amount_change,
  1.0 * (
    processed_amount - processed_amount_previous
  ) / NULLIF(processed_amount_previous, 0) AS processed_amount_change_pct
FROM measured
