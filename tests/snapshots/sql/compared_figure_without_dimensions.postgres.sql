WITH measured AS (
  SELECT
    SUM(
      CASE
        WHEN payment_date BETWEEN DATE '2026-10-25' AND DATE '2026-10-31'
        THEN processed_amount
      END
    ) AS processed_amount,
    SUM(
      CASE
        WHEN payment_date BETWEEN DATE '2026-10-18' AND DATE '2026-10-24'
        THEN processed_amount
      END
    ) AS processed_amount_previous
  FROM semantic.v_daily_payment_metrics
  WHERE
    payment_date BETWEEN DATE '2026-10-18' AND DATE '2026-10-31'
)
SELECT
  processed_amount,
  processed_amount_previous,
  processed_amount - processed_amount_previous AS processed_amount_change,
  (
    processed_amount - processed_amount_previous
  ) / NULLIF(processed_amount_previous, 0) AS processed_amount_change_pct
FROM measured
