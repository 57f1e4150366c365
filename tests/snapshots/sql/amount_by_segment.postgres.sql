SELECT
  segment,
  1.0 * SUM(processed_amount) / NULLIF(SUM(approved_count), 0) AS average_ticket
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN CAST('2026-08-01' AS DATE) AND CAST('2026-08-31' AS DATE)
GROUP BY
  segment
ORDER BY
  average_ticket DESC NULLS LAST,
  segment
