SELECT
  CAST(DATE_TRUNC('YEAR', payment_month) AS DATE) AS year,
  SUM(transactions_count) AS transactions
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month BETWEEN DATE '2025-01-01' AND DATE '2026-10-01'
GROUP BY
  CAST(DATE_TRUNC('YEAR', payment_month) AS DATE)
ORDER BY
  year
