SELECT
  CAST(DATE_TRUNC('YEAR', payment_month) AS DATE) AS year,
  SUM(transactions_count) AS transactions
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month BETWEEN CAST('2025-01-01' AS DATE) AND CAST('2026-10-01' AS DATE)
GROUP BY
  CAST(DATE_TRUNC('YEAR', payment_month) AS DATE)
ORDER BY
  year
