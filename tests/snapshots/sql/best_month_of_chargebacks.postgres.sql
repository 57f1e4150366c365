SELECT
  chargeback_month AS month,
  SUM(chargeback_amount) AS chargeback_amount
FROM semantic.v_chargeback_metrics
WHERE
  chargeback_month <= DATE '2026-10-01'
GROUP BY
  chargeback_month
ORDER BY
  chargeback_amount DESC NULLS LAST,
  month
LIMIT 1
