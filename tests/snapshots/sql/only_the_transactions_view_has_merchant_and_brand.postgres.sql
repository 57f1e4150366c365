SELECT
  segment,
  brand,
  1.0 * COUNT(CASE WHEN is_approved THEN transaction_id END) / NULLIF(COUNT(transaction_id), 0) AS approval_rate,
  SUM(fee_amount) AS fees
FROM semantic.v_payment_transactions
WHERE
  transaction_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
GROUP BY
  segment,
  brand
ORDER BY
  approval_rate DESC NULLS LAST,
  segment,
  brand
