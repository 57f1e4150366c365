WITH asked AS (
  SELECT
    payment_date AS day,
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate
  FROM semantic.v_daily_payment_metrics
  WHERE
    payment_date BETWEEN DATE '2026-10-25' AND DATE '2026-10-31'
  GROUP BY
    payment_date
), earlier AS (
  SELECT
    CAST(payment_date + INTERVAL '7 DAY' AS DATE) AS day,
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate_previous
  FROM semantic.v_daily_payment_metrics
  WHERE
    payment_date BETWEEN DATE '2026-10-18' AND DATE '2026-10-24'
  GROUP BY
    CAST(payment_date + INTERVAL '7 DAY' AS DATE)
), side_by_side AS (
  SELECT
    day,
    approval_rate,
    CAST(NULL AS DECIMAL) AS approval_rate_previous
  FROM asked
  UNION ALL
  SELECT
    day,
    CAST(NULL AS DECIMAL) AS approval_rate,
    approval_rate_previous
  FROM earlier
), measured AS (
  SELECT
    day,
    MAX(approval_rate) AS approval_rate,
    MAX(approval_rate_previous) AS approval_rate_previous
  FROM side_by_side
  GROUP BY
    day
)
SELECT
  day,
  approval_rate,
  approval_rate_previous,
  approval_rate - approval_rate_previous AS approval_rate_change
FROM measured
ORDER BY
  day
