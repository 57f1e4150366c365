WITH measured AS (
  SELECT
    payment_month AS month,
    channel,
    1.0 * SUM(declined_count) / NULLIF(SUM(transactions_count), 0) AS decline_rate
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN CAST('2026-07-01' AS DATE) AND CAST('2026-10-01' AS DATE)
  GROUP BY
    payment_month,
    channel
), calculated AS (
  SELECT
    month,
    channel,
    decline_rate,
    CASE
      WHEN LAG(month) OVER (PARTITION BY channel ORDER BY month) = (
        month - INTERVAL '1 MONTH'
      )
      THEN LAG(decline_rate) OVER (PARTITION BY channel ORDER BY month)
    END AS decline_rate_previous
  FROM measured
)
SELECT
  month,
  channel,
  decline_rate,
  decline_rate - decline_rate_previous AS decline_rate_change
FROM calculated
WHERE
  month >= CAST('2026-08-01' AS DATE)
ORDER BY
  month,
  channel
