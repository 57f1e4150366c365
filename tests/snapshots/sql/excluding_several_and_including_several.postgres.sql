SELECT
  channel,
  brand,
  SUM(approved_count) AS approved_transactions
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month = DATE '2026-10-01'
  AND (
    NOT channel IN ('atm', 'mobile') OR channel IS NULL
  )
  AND brand IN ('Visa', 'Diners')
GROUP BY
  channel,
  brand
ORDER BY
  approved_transactions DESC NULLS LAST,
  channel,
  brand
