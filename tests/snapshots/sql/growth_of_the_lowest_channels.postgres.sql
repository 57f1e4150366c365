WITH measured AS (
  SELECT
    payment_month AS month,
    channel,
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-07-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month,
    channel
), calculated AS (
  SELECT
    month,
    channel,
    approval_rate,
    CASE
      WHEN LAG(month) OVER (PARTITION BY channel ORDER BY month) = (
        month - INTERVAL '1 MONTH'
      )
      THEN LAG(approval_rate) OVER (PARTITION BY channel ORDER BY month)
    END AS approval_rate_previous
  FROM measured
), top_members AS (
  SELECT
    channel AS top_channel
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-08-01' AND DATE '2026-10-01'
  GROUP BY
    channel
  ORDER BY
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0),
    channel
  LIMIT 2
)
SELECT
  month,
  channel,
  approval_rate,
  approval_rate - approval_rate_previous AS approval_rate_change
FROM calculated
JOIN top_members
  ON channel IS NOT DISTINCT FROM top_channel
WHERE
  month >= DATE '2026-08-01'
ORDER BY
  month,
  approval_rate,
  channel
