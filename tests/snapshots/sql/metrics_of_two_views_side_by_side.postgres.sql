WITH chargebacks_part AS (
  SELECT
    brand,
    SUM(chargebacks_count) AS chargebacks
  FROM semantic.v_chargeback_metrics
  WHERE
    chargeback_month BETWEEN DATE '2026-07-01' AND DATE '2026-09-01'
  GROUP BY
    brand
), transactions_part AS (
  SELECT
    brand,
    SUM(transactions_count) AS transactions
  FROM semantic.v_monthly_payment_metrics
  WHERE
    payment_month BETWEEN DATE '2026-07-01' AND DATE '2026-09-01'
  GROUP BY
    brand
), parts AS (
  SELECT
    brand,
    chargebacks,
    CAST(NULL AS DECIMAL) AS transactions
  FROM chargebacks_part
  UNION ALL
  SELECT
    brand,
    CAST(NULL AS DECIMAL) AS chargebacks,
    transactions
  FROM transactions_part
)
SELECT
  brand,
  MAX(chargebacks) AS chargebacks,
  MAX(transactions) AS transactions
FROM parts
GROUP BY
  brand
ORDER BY
  brand
