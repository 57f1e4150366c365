WITH asked AS (
  SELECT
    channel,
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate,
    SUM(transactions_count) AS transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month = DATE '2026-10-01'
  GROUP BY
    channel
), earlier AS (
  SELECT
    channel,
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate_previous,
    SUM(transactions_count) AS transactions_previous
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month = DATE '2025-10-01'
  GROUP BY
    channel
), side_by_side AS (
  SELECT
    channel,
    approval_rate,
    transactions,
    CAST(NULL AS DECIMAL) AS approval_rate_previous,
    CAST(NULL AS DECIMAL) AS transactions_previous
  FROM asked
  UNION ALL
  SELECT
    channel,
    CAST(NULL AS DECIMAL) AS approval_rate,
    CAST(NULL AS DECIMAL) AS transactions,
    approval_rate_previous,
    transactions_previous
  FROM earlier
), measured AS (
  SELECT
    channel,
    MAX(approval_rate) AS approval_rate,
    MAX(transactions) AS transactions,
    MAX(approval_rate_previous) AS approval_rate_previous,
    MAX(transactions_previous) AS transactions_previous
  FROM side_by_side
  GROUP BY
    channel
)
SELECT
  channel,
  approval_rate,
  approval_rate_previous,
  approval_rate - approval_rate_previous AS approval_rate_change,
  transactions,
  transactions_previous,
  transactions - transactions_previous AS transactions_change,
  (
    transactions - transactions_previous
  ) / NULLIF(transactions_previous, 0) AS transactions_change_pct
FROM measured
ORDER BY
  approval_rate DESC NULLS LAST,
  channel
