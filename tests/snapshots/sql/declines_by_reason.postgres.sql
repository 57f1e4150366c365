SELECT
  response_code,
  response_reason AS response_code_label,
  SUM(declined_count) AS declined_transactions
FROM semantic.v_decline_analysis
WHERE
  payment_date BETWEEN DATE '2026-10-02' AND DATE '2026-10-31'
  AND brand = 'Mastercard'
GROUP BY
  response_code,
  response_reason
ORDER BY
  declined_transactions DESC NULLS LAST,
  response_code
