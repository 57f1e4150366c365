WITH measured AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', payment_date) AS DATE) AS month,
    merchant_name AS merchant,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_merchant_performance
  WHERE
    payment_date BETWEEN DATE '2026-08-01' AND DATE '2026-10-31'
  GROUP BY
    CAST(DATE_TRUNC('MONTH', payment_date) AS DATE),
    merchant_name
), top_members AS (
  SELECT
    merchant_name AS top_merchant
  FROM semantic.v_merchant_performance
  WHERE
    payment_date BETWEEN DATE '2026-08-01' AND DATE '2026-10-31'
  GROUP BY
    merchant_name
  ORDER BY
    SUM(processed_amount) DESC NULLS LAST,
    merchant_name
  LIMIT 3
)
SELECT
  month,
  merchant,
  processed_amount
FROM measured
JOIN top_members
  ON merchant IS NOT DISTINCT FROM top_merchant
ORDER BY
  month,
  processed_amount DESC NULLS LAST,
  merchant
