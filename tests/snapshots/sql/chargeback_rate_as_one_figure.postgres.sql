WITH chargebacks_part AS (
  SELECT
    SUM(chargebacks_count) AS chargebacks
  FROM semantic.v_chargeback_metrics
  WHERE
    chargeback_month BETWEEN DATE '2026-07-01' AND DATE '2026-09-01'
), approved_transactions_part AS (
  SELECT
    SUM(approved_count) AS approved_transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-07-01' AND DATE '2026-09-01'
), parts AS (
  SELECT
    chargebacks,
    CAST(NULL AS DECIMAL) AS approved_transactions
  FROM chargebacks_part
  UNION ALL
  SELECT
    CAST(NULL AS DECIMAL) AS chargebacks,
    approved_transactions
  FROM approved_transactions_part
)
SELECT
  COALESCE(MAX(chargebacks), 0) / NULLIF(MAX(approved_transactions), 0) AS chargeback_rate
FROM parts
