WITH measured AS (
  SELECT
    payment_month AS month,
    channel,
    SUM(transactions_count) AS transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-08-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month,
    channel
)
SELECT
  month,
  channel,
  transactions,
  transactions / NULLIF(SUM(transactions) OVER (PARTITION BY month), 0) AS transactions_share
FROM measured
ORDER BY
  month,
  channel
