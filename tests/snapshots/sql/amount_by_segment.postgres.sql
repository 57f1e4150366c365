SELECT
  segment,
  SUM(processed_amount) / NULLIF(SUM(approved_count), 0) AS average_ticket
FROM semantic.v_merchant_performance
WHERE
  payment_date BETWEEN DATE '2026-08-01' AND DATE '2026-08-31'
GROUP BY
  segment
ORDER BY
  average_ticket DESC NULLS LAST,
  segment
