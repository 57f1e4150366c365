WITH measured AS (
  SELECT
    COUNT(CASE WHEN currency = 'USD' THEN transaction_id END) AS transactions,
    COUNT(transaction_id) AS transactions_total
  FROM semantic.v_payment_transactions
  WHERE
    transaction_date BETWEEN DATE '2026-10-01' AND DATE '2026-10-31'
)
SELECT
  transactions,
  1.0 * transactions / NULLIF(transactions_total, 0) AS transactions_share
FROM measured
