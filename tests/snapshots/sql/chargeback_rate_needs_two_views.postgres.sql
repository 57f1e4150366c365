WITH chargebacks_part AS (
  SELECT
    chargeback_month AS month,
    brand,
    channel,
    SUM(chargebacks_count) AS chargebacks
  FROM semantic.v_chargeback_metrics
  WHERE
    chargeback_month BETWEEN DATE '2026-05-01' AND DATE '2026-10-01'
  GROUP BY
    chargeback_month,
    brand,
    channel
), approved_transactions_part AS (
  SELECT
    payment_month AS month,
    brand,
    channel,
    SUM(approved_count) AS approved_transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-05-01' AND DATE '2026-10-01'
  GROUP BY
    payment_month,
    brand,
    channel
), parts AS (
  SELECT
    month,
    brand,
    channel,
    chargebacks,
    CAST(NULL AS DECIMAL) AS approved_transactions
  FROM chargebacks_part
  UNION ALL
  SELECT
    month,
    brand,
    channel,
    CAST(NULL AS DECIMAL) AS chargebacks,
    approved_transactions
  FROM approved_transactions_part
)
SELECT
  month,
  brand,
  channel,
  COALESCE(MAX(chargebacks), 0) / NULLIF(MAX(approved_transactions), 0) AS chargeback_rate
FROM parts
GROUP BY
  month,
  brand,
  channel
ORDER BY
  month,
  brand,
  channel
