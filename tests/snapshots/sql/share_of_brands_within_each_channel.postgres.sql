WITH measured AS (
  SELECT
    channel,
    brand,
    SUM(transactions_count) AS transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month = DATE '2026-10-01'
  GROUP BY
    channel,
    brand
)
SELECT
  channel,
  brand,
  transactions,
  transactions / NULLIF(SUM(transactions) OVER (PARTITION BY channel), 0) AS transactions_share
FROM measured
ORDER BY
  channel,
  brand
