WITH asked AS (
  SELECT
    merchant_name AS merchant,
    SUM(declined_count) AS declined_transactions
  FROM semantic.v_merchant_performance
  WHERE
    payment_date = DATE '2026-10-31' AND segment = 'enterprise'
  GROUP BY
    merchant_name
), earlier AS (
  SELECT
    merchant_name AS merchant,
    SUM(declined_count) AS declined_transactions_previous
  FROM semantic.v_merchant_performance
  WHERE
    payment_date = DATE '2024-06-01' AND segment = 'enterprise'
  GROUP BY
    merchant_name
), side_by_side AS (
  SELECT
    merchant,
    declined_transactions,
    CAST(NULL AS DECIMAL) AS declined_transactions_previous
  FROM asked
  UNION ALL
  SELECT
    merchant,
    CAST(NULL AS DECIMAL) AS declined_transactions,
    declined_transactions_previous
  FROM earlier
), measured AS (
  SELECT
    merchant,
    MAX(declined_transactions) AS declined_transactions,
    MAX(declined_transactions_previous) AS declined_transactions_previous
  FROM side_by_side
  GROUP BY
    merchant
)
SELECT
  merchant,
  declined_transactions,
  declined_transactions_previous,
  declined_transactions - declined_transactions_previous AS declined_transactions_change,
  (
    declined_transactions - declined_transactions_previous
  ) / NULLIF(declined_transactions_previous, 0) AS declined_transactions_change_pct
FROM measured
ORDER BY
  declined_transactions DESC NULLS LAST,
  merchant
