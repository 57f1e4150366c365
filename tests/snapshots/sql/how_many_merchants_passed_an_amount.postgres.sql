WITH members AS (
  SELECT
    merchant_name AS merchant,
    SUM(processed_amount) AS processed_amount
  FROM semantic.v_merchant_performance
  WHERE
    payment_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
  GROUP BY
    merchant_name
  HAVING
    SUM(processed_amount) > 10000
)
SELECT
  COUNT(merchant) AS merchant_count
FROM members
