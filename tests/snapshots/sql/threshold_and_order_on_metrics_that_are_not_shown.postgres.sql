SELECT
  merchant_name AS merchant,
  SUM(processed_amount) / NULLIF(SUM(approved_count), 0) AS average_ticket
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
GROUP BY
  merchant_name
HAVING
  (
    SUM(approved_count) / NULLIF(SUM(transactions_count), 0)
  ) < 0.85
ORDER BY
  SUM(transactions_count) DESC NULLS LAST,
  merchant
LIMIT 4
