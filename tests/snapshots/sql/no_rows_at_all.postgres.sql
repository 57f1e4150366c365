SELECT
  channel,
  SUM(processed_amount) AS processed_amount
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month = DATE '2026-11-01'
GROUP BY
  channel
ORDER BY
  processed_amount DESC NULLS LAST,
  channel
