SELECT
  brand,
  SUM(fee_amount) / NULLIF(SUM(processed_amount), 0) AS take_rate
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month BETWEEN DATE '2026-03-01' AND DATE '2026-05-01'
  AND (
    brand <> 'Amex' OR brand IS NULL
  )
GROUP BY
  brand
ORDER BY
  take_rate DESC NULLS LAST,
  brand
