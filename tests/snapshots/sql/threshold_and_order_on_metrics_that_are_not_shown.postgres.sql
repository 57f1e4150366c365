SELECT
  merchant_name AS merchant,
  1.0 * SUM(processed_amount) / NULLIF(SUM(approved_count), 0) AS average_ticket
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN CAST('2026-10-01' AS DATE) AND CAST('2026-10-31' AS DATE)
GROUP BY
  merchant_name
HAVING
  (
    1.0 * SUM(approved_count) / NULLIF(SUM(transactions_count), 0)
  ) < 0.85
ORDER BY
  SUM(transactions_count) DESC NULLS LAST,
  merchant
LIMIT 4
