SELECT
  payment_date AS day,
  SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate
FROM semantic.v_daily_payment_metrics
WHERE
  payment_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
  AND channel = 'ecommerce'
GROUP BY
  payment_date
ORDER BY
  day
