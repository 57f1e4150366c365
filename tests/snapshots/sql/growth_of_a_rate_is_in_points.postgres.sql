WITH measured AS (
  SELECT
    payment_month AS month,
    channel,
    SUM(declined_count) / NULLIF(SUM(transactions_count), 0) AS decline_rate
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
  month >= DATE '2026-08-01'
ORDER BY
  month,
  channel
