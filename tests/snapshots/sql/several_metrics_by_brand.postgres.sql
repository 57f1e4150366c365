SELECT
  brand,
  SUM(transactions_count) AS transactions,
  SUM(declined_count) AS declined_transactions,
  SUM(declined_count) / NULLIF(SUM(transactions_count), 0) AS decline_rate,
  SUM(processed_amount) / NULLIF(SUM(approved_count), 0) AS average_ticket,
  SUM(fee_amount) / NULLIF(SUM(processed_amount), 0) AS take_rate,
  SUM(attempted_amount) AS attempted_amount,
  SUM(attempted_amount - processed_amount) AS declined_amount
FROM semantic.v_monthly_payment_metrics
WHERE
  payment_month = DATE '2026-09-01'
GROUP BY
  brand
ORDER BY
  transactions DESC NULLS LAST,
  brand
