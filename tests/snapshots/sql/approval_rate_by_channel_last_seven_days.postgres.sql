SELECT
  channel,
  SUM(approved_count) / NULLIF(SUM(transactions_count), 0) AS approval_rate
FROM semantic.v_daily_payment_metrics
WHERE
  payment_date BETWEEN DATE '2026-10-25' AND DATE '2026-10-31'
GROUP BY
  channel
ORDER BY
  approval_rate DESC NULLS LAST,
  channel
