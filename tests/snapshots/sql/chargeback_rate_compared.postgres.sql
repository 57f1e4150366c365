WITH chargebacks_part AS (
  SELECT
    brand,
    SUM(chargebacks_count) AS chargebacks
  FROM semantic.v_chargeback_metrics
  WHERE
    chargeback_month BETWEEN DATE '2026-07-01' AND DATE '2026-09-01'
  GROUP BY
    brand
), approved_transactions_part AS (
  SELECT
    brand,
    SUM(approved_count) AS approved_transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-07-01' AND DATE '2026-09-01'
  GROUP BY
    brand
), parts AS (
  SELECT
    brand,
    chargebacks,
    CAST(NULL AS DECIMAL) AS approved_transactions
  FROM chargebacks_part
  UNION ALL
  SELECT
    brand,
    CAST(NULL AS DECIMAL) AS chargebacks,
    approved_transactions
  FROM approved_transactions_part
), asked AS (
  SELECT
    brand,
    COALESCE(MAX(chargebacks), 0) / NULLIF(MAX(approved_transactions), 0) AS chargeback_rate
  FROM parts
  GROUP BY
    brand
), chargebacks_part_previous AS (
  SELECT
    brand,
    SUM(chargebacks_count) AS chargebacks
  FROM semantic.v_chargeback_metrics
  WHERE
    chargeback_month BETWEEN DATE '2026-04-01' AND DATE '2026-06-01'
  GROUP BY
    brand
), approved_transactions_part_previous AS (
  SELECT
    brand,
    SUM(approved_count) AS approved_transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-04-01' AND DATE '2026-06-01'
  GROUP BY
    brand
), parts_previous AS (
  SELECT
    brand,
    chargebacks,
    CAST(NULL AS DECIMAL) AS approved_transactions
  FROM chargebacks_part_previous
  UNION ALL
  SELECT
    brand,
    CAST(NULL AS DECIMAL) AS chargebacks,
    approved_transactions
  FROM approved_transactions_part_previous
), earlier AS (
  SELECT
    brand,
    COALESCE(MAX(chargebacks), 0) / NULLIF(MAX(approved_transactions), 0) AS chargeback_rate_previous
  FROM parts_previous
  GROUP BY
    brand
), side_by_side AS (
  SELECT
    brand,
    chargeback_rate,
    CAST(NULL AS DECIMAL) AS chargeback_rate_previous
  FROM asked
  UNION ALL
  SELECT
    brand,
    CAST(NULL AS DECIMAL) AS chargeback_rate,
    chargeback_rate_previous
  FROM earlier
), measured AS (
  SELECT
    brand,
    MAX(chargeback_rate) AS chargeback_rate,
    MAX(chargeback_rate_previous) AS chargeback_rate_previous
  FROM side_by_side
  GROUP BY
    brand
)
SELECT
  brand,
  chargeback_rate,
  chargeback_rate_previous,
  chargeback_rate - chargeback_rate_previous AS chargeback_rate_change
FROM measured
ORDER BY
  chargeback_rate DESC NULLS LAST,
  brand
