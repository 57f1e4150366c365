-- The governed views, the only thing that agent_reader can read. Dates are days and months in America/Lima.

CREATE VIEW semantic.v_payment_transactions AS
SELECT
    f.transaction_id, f.transaction_ts, f.transaction_date, f.merchant_id, m.merchant_name, m.mcc, m.mcc_description,
    m.segment, m.region, f.channel, f.brand, f.amount, f.currency, f.status, f.response_code, r.response_reason,
    f.is_approved, f.fee_amount
FROM analytics.fact_payment_transactions AS f
JOIN analytics.dim_merchant AS m USING (merchant_id)
JOIN analytics.response_codes AS r USING (response_code);
COMMENT ON VIEW semantic.v_payment_transactions IS
    'One card payment attempt. Amounts are in PEN; fee_amount is NULL on a declined attempt.';

CREATE VIEW semantic.v_daily_payment_metrics AS
SELECT
    payment_date, channel, brand, mcc, mcc_description, region, transactions_count, approved_count, declined_count,
    attempted_amount, processed_amount, fee_amount
FROM analytics.daily_payment_metrics;
COMMENT ON VIEW semantic.v_daily_payment_metrics IS
    'Card payments by day, channel, brand, MCC and region. processed_amount counts approved attempts only.';

CREATE VIEW semantic.v_merchant_performance AS
SELECT
    p.payment_date, p.merchant_id, m.merchant_name, m.mcc, m.mcc_description, m.segment, m.region,
    p.transactions_count, p.approved_count, p.declined_count, p.attempted_amount, p.processed_amount, p.fee_amount
FROM analytics.merchant_performance AS p
JOIN analytics.dim_merchant AS m USING (merchant_id);
COMMENT ON VIEW semantic.v_merchant_performance IS 'Card payments by day and merchant.';

CREATE VIEW semantic.v_monthly_payment_metrics AS
SELECT
    payment_month, channel, brand, mcc, mcc_description, region, transactions_count, approved_count, declined_count,
    attempted_amount, processed_amount, fee_amount
FROM analytics.monthly_payment_metrics;
COMMENT ON VIEW semantic.v_monthly_payment_metrics IS
    'Card payments by month (its first day), channel, brand, MCC and region.';

CREATE VIEW semantic.v_decline_analysis AS
SELECT payment_date, channel, brand, response_code, response_reason, declined_count, declined_amount
FROM analytics.decline_analysis;
COMMENT ON VIEW semantic.v_decline_analysis IS 'Declined attempts by day, channel, brand and response code.';

CREATE VIEW semantic.v_chargeback_metrics AS
SELECT chargeback_month, brand, channel, reason_code, reason, chargebacks_count, chargeback_amount, lost_amount
FROM analytics.chargeback_metrics;
COMMENT ON VIEW semantic.v_chargeback_metrics IS
    'Chargebacks by the month in which they were opened (its first day), brand, channel and reason.';

GRANT USAGE ON SCHEMA semantic TO agent_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA semantic TO agent_reader;
