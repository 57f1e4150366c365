-- From the source's rows to the star schema and to the aggregates behind the governed views.

ALTER TABLE operational.payment_transactions
    ADD PRIMARY KEY (transaction_id),
    ADD FOREIGN KEY (merchant_id) REFERENCES operational.merchants,
    ADD CHECK (status IN ('approved', 'declined'));
ALTER TABLE operational.chargebacks
    ADD FOREIGN KEY (transaction_id) REFERENCES operational.payment_transactions;

INSERT INTO analytics.dim_merchant
SELECT m.merchant_id, m.merchant_name, m.mcc, c.mcc_description, m.segment, m.region, m.onboarded_on, m.is_active
FROM operational.merchants AS m
JOIN analytics.mccs AS c USING (mcc)
ORDER BY m.merchant_id;

INSERT INTO analytics.fact_payment_transactions
SELECT
    transaction_id, created_at, (created_at AT TIME ZONE 'America/Lima')::date, merchant_id, channel, brand, amount,
    currency, status, response_code, status = 'approved', fee_amount
FROM operational.payment_transactions
ORDER BY transaction_id;

ALTER TABLE analytics.fact_payment_transactions ADD PRIMARY KEY (transaction_id);
CREATE INDEX ON analytics.fact_payment_transactions (transaction_date);
CREATE INDEX ON analytics.fact_payment_transactions (transaction_ts);
CREATE INDEX ON analytics.fact_payment_transactions (merchant_id, transaction_date);

INSERT INTO analytics.dim_date
SELECT
    day, date_trunc('week', day)::date, date_trunc('month', day)::date, date_trunc('quarter', day)::date,
    extract(year FROM day)::integer, extract(isodow FROM day)::integer, extract(isodow FROM day) >= 6
FROM (
    SELECT generate_series(min(transaction_date), max(transaction_date), interval '1 day')::date AS day
    FROM analytics.fact_payment_transactions
) AS days;

INSERT INTO analytics.fact_chargebacks
SELECT
    c.chargeback_id, c.transaction_id, c.opened_on, date_trunc('month', c.opened_on)::date, t.brand, t.channel,
    c.reason_code, c.amount, c.outcome
FROM operational.chargebacks AS c
JOIN operational.payment_transactions AS t USING (transaction_id)
ORDER BY c.chargeback_id;

CREATE TABLE analytics.daily_payment_metrics AS
SELECT
    f.transaction_date AS payment_date, f.channel, f.brand, m.mcc, m.mcc_description, m.region,
    count(*) AS transactions_count,
    count(*) FILTER (WHERE f.is_approved) AS approved_count,
    count(*) FILTER (WHERE NOT f.is_approved) AS declined_count,
    sum(f.amount) AS attempted_amount,
    coalesce(sum(f.amount) FILTER (WHERE f.is_approved), 0) AS processed_amount,
    coalesce(sum(f.fee_amount), 0) AS fee_amount
FROM analytics.fact_payment_transactions AS f
JOIN analytics.dim_merchant AS m USING (merchant_id)
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 6;
CREATE INDEX ON analytics.daily_payment_metrics (payment_date);

CREATE TABLE analytics.monthly_payment_metrics AS
SELECT
    date_trunc('month', payment_date)::date AS payment_month, channel, brand, mcc, mcc_description, region,
    sum(transactions_count)::bigint AS transactions_count,
    sum(approved_count)::bigint AS approved_count,
    sum(declined_count)::bigint AS declined_count,
    sum(attempted_amount) AS attempted_amount,
    sum(processed_amount) AS processed_amount,
    sum(fee_amount) AS fee_amount
FROM analytics.daily_payment_metrics
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 6;
CREATE INDEX ON analytics.monthly_payment_metrics (payment_month);

CREATE TABLE analytics.merchant_performance AS
SELECT
    f.transaction_date AS payment_date, f.merchant_id,
    count(*) AS transactions_count,
    count(*) FILTER (WHERE f.is_approved) AS approved_count,
    count(*) FILTER (WHERE NOT f.is_approved) AS declined_count,
    sum(f.amount) AS attempted_amount,
    coalesce(sum(f.amount) FILTER (WHERE f.is_approved), 0) AS processed_amount,
    coalesce(sum(f.fee_amount), 0) AS fee_amount
FROM analytics.fact_payment_transactions AS f
GROUP BY 1, 2
ORDER BY 1, 2;
CREATE INDEX ON analytics.merchant_performance (payment_date);
CREATE INDEX ON analytics.merchant_performance (merchant_id, payment_date);

CREATE TABLE analytics.decline_analysis AS
SELECT
    f.transaction_date AS payment_date, f.channel, f.brand, f.response_code, r.response_reason,
    count(*) AS declined_count, sum(f.amount) AS declined_amount
FROM analytics.fact_payment_transactions AS f
JOIN analytics.response_codes AS r USING (response_code)
WHERE NOT f.is_approved
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4;
CREATE INDEX ON analytics.decline_analysis (payment_date);

CREATE TABLE analytics.chargeback_metrics AS
SELECT
    f.chargeback_month, f.brand, f.channel, f.reason_code, r.reason,
    count(*) AS chargebacks_count,
    sum(f.amount) AS chargeback_amount,
    coalesce(sum(f.amount) FILTER (WHERE f.outcome = 'lost'), 0) AS lost_amount
FROM analytics.fact_chargebacks AS f
JOIN analytics.chargeback_reasons AS r USING (reason_code)
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4;
