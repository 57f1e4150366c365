WITH members AS (
  SELECT
    merchant_name AS merchant
  FROM semantic.v_merchant_performance
  WHERE
    payment_date = DATE '2026-10-31'
  GROUP BY
    merchant_name
), asked AS (
  SELECT
    COUNT(merchant) AS merchant_count
  FROM members
), members_previous AS (
  SELECT
    merchant_name AS merchant
  FROM semantic.v_merchant_performance
  WHERE
    payment_date = DATE '2026-10-30'
  GROUP BY
    merchant_name
), earlier AS (
  SELECT
    COUNT(merchant) AS merchant_count_previous
  FROM members_previous
), side_by_side AS (
  SELECT
    merchant_count,
    CAST(NULL AS DECIMAL) AS merchant_count_previous
  FROM asked
  UNION ALL
  SELECT
    CAST(NULL AS DECIMAL) AS merchant_count,
    merchant_count_previous
  FROM earlier
), measured AS (
  SELECT
    MAX(merchant_count) AS merchant_count,
    MAX(merchant_count_previous) AS merchant_count_previous
  FROM side_by_side
)
SELECT
  merchant_count,
  merchant_count_previous,
  merchant_count - merchant_count_previous AS merchant_count_change,
  1.0 * (
    merchant_count - merchant_count_previous
  ) / NULLIF(merchant_count_previous, 0) AS merchant_count_change_pct
FROM measured
