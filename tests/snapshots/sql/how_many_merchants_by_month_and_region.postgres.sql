WITH members AS (
  SELECT
    CAST(DATE_TRUNC('MONTH', payment_date) AS DATE) AS month,
    region,
    merchant_name AS merchant
  FROM semantic.v_merchant_performance
  WHERE
    payment_date BETWEEN DATE '2026-08-01' AND DATE '2026-10-31'
  GROUP BY
    CAST(DATE_TRUNC('MONTH', payment_date) AS DATE),
    region,
    merchant_name
)
SELECT
  month,
  region,
  COUNT(merchant) AS merchant_count
FROM members
GROUP BY
  month,
  region
ORDER BY
  month,
  region
