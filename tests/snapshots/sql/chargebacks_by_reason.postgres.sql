SELECT
  reason_code AS chargeback_reason,
  reason AS chargeback_reason_label,
  SUM(chargebacks_count) AS chargebacks,
  SUM(chargeback_amount) AS chargeback_amount,
  SUM(lost_amount) AS lost_amount
FROM semantic.v_chargeback_metrics
WHERE
  chargeback_month BETWEEN DATE '2026-05-01' AND DATE '2026-10-01'
GROUP BY
  reason_code,
  reason
ORDER BY
  chargebacks DESC NULLS LAST,
  chargeback_reason
