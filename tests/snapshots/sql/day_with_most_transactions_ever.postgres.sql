SELECT
  payment_date AS day,
  SUM(transactions_count) AS transactions
FROM semantic.v_daily_payment_metrics
WHERE
  payment_date BETWEEN DATE '1900-01-01' AND DATE '2026-10-31'
GROUP BY
  payment_date
ORDER BY
  transactions DESC NULLS LAST,
  day
LIMIT 1
