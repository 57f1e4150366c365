WITH measured AS (
  SELECT
    payment_date AS day,
    merchant_name AS merchant,
    SUM(transactions_count) AS transactions
  FROM semantic.v_merchant_performance
  WHERE
    payment_date BETWEEN DATE '2026-10-27' AND DATE '2026-10-31'
    AND segment = 'small business'
    AND region = 'Piura'
  GROUP BY
    payment_date,
    merchant_name
), calculated AS (
  SELECT
    day,
    merchant,
    transactions,
    CASE
      WHEN LAG(day) OVER (PARTITION BY merchant ORDER BY day) = (
        day - INTERVAL '1 DAY'
      )
      THEN LAG(transactions) OVER (PARTITION BY merchant ORDER BY day)
    END AS transactions_previous
  FROM measured
)
SELECT
  day,
  merchant,
  transactions,
  transactions - transactions_previous AS transactions_change,
  (
    transactions - transactions_previous
  ) / NULLIF(transactions_previous, 0) AS transactions_change_pct
FROM calculated
WHERE
  day >= DATE '2026-10-28'
ORDER BY
  day,
  merchant
