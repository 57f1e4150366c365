SELECT
  CAST(DATE_TRUNC('WEEK', payment_date) AS DATE) AS week,
  SUM(processed_amount) AS processed_amount
FROM semantic.v_daily_payment_metrics
WHERE
  payment_date BETWEEN DATE '2026-09-07' AND DATE '2026-10-25'
GROUP BY
  CAST(DATE_TRUNC('WEEK', payment_date) AS DATE)
ORDER BY
  week
