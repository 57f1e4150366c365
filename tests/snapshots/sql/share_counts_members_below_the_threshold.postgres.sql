WITH measured AS (
  SELECT
    brand,
    SUM(transactions_count) AS transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month = DATE '2026-10-01'
  GROUP BY
    brand
), calculated AS (
  SELECT
    brand,
    transactions,
    transactions / NULLIF(SUM(transactions) OVER (), 0) AS transactions_share
  FROM measured
)
SELECT
  brand,
  transactions,
  transactions_share
FROM calculated
WHERE
  transactions >= 2000
ORDER BY
  transactions DESC NULLS LAST,
  brand
