SELECT
  CAST(DATE_TRUNC('QUARTER', payment_month) AS DATE) AS quarter,
  SUM(fee_amount) AS fees
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month BETWEEN DATE '2025-01-01' AND DATE '2026-09-01'
GROUP BY
  CAST(DATE_TRUNC('QUARTER', payment_month) AS DATE)
ORDER BY
  quarter
