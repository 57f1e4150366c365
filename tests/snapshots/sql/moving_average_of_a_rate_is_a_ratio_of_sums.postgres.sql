WITH measured AS (
  SELECT
    payment_date AS day,
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate,
    SUM(approved_count) AS approved_transactions,
    SUM(transactions_count) AS transactions
  FROM semantic.v_daily_payment_metrics
  WHERE
    payment_date BETWEEN DATE '2026-09-25' AND DATE '2026-10-31'
  GROUP BY
    payment_date
), calculated AS (
  SELECT
    day,
    approval_rate,
    approved_transactions,
    transactions,
    CASE
      WHEN LAG(day, 6) OVER (ORDER BY day) = (
        day - INTERVAL '6 DAY'
      )
      THEN SUM(approved_transactions) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) / NULLIF(SUM(transactions) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 0)
    END AS approval_rate_moving_average
  FROM measured
)
SELECT
  day,
  approval_rate,
  approval_rate_moving_average
FROM calculated
WHERE
  day >= DATE '2026-10-01'
ORDER BY
  day
