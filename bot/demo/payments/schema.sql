-- The tables of the payments warehouse, empty: what the source has, and the star schema made from it.

CREATE SCHEMA operational;
CREATE SCHEMA analytics;
CREATE SCHEMA semantic;

CREATE TABLE operational.merchants (
    merchant_id integer PRIMARY KEY,
    merchant_name text NOT NULL UNIQUE,
    mcc text NOT NULL,
    segment text NOT NULL,
    region text NOT NULL,
    onboarded_on date,
    is_active boolean NOT NULL
);

CREATE TABLE operational.payment_transactions (
    transaction_id bigint NOT NULL,
    merchant_id integer NOT NULL,
    created_at timestamptz NOT NULL,
    channel text NOT NULL,
    brand text NOT NULL,
    amount numeric(14, 2) NOT NULL,
    currency text NOT NULL,
    status text NOT NULL,
    response_code text NOT NULL,
    fee_amount numeric(14, 2)
);

CREATE TABLE operational.chargebacks (
    chargeback_id bigint PRIMARY KEY,
    transaction_id bigint NOT NULL,
    opened_on date NOT NULL,
    reason_code text NOT NULL,
    amount numeric(14, 2) NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('won', 'lost', 'open'))
);

CREATE TABLE analytics.mccs (mcc text PRIMARY KEY, mcc_description text NOT NULL);
CREATE TABLE analytics.response_codes (response_code text PRIMARY KEY, response_reason text NOT NULL);
CREATE TABLE analytics.chargeback_reasons (reason_code text PRIMARY KEY, reason text NOT NULL);

CREATE TABLE analytics.dim_date (
    date_key date PRIMARY KEY,
    week_start date NOT NULL,
    month_start date NOT NULL,
    quarter_start date NOT NULL,
    year integer NOT NULL,
    day_of_week integer NOT NULL,
    is_weekend boolean NOT NULL
);

CREATE TABLE analytics.dim_merchant (
    merchant_id integer PRIMARY KEY,
    merchant_name text NOT NULL UNIQUE,
    mcc text NOT NULL,
    mcc_description text NOT NULL,
    segment text NOT NULL,
    region text NOT NULL,
    onboarded_on date,
    is_active boolean NOT NULL
);

CREATE TABLE analytics.fact_payment_transactions (
    transaction_id bigint NOT NULL,
    transaction_ts timestamptz NOT NULL,
    transaction_date date NOT NULL,
    merchant_id integer NOT NULL,
    channel text NOT NULL,
    brand text NOT NULL,
    amount numeric(14, 2) NOT NULL,
    currency text NOT NULL,
    status text NOT NULL,
    response_code text NOT NULL,
    is_approved boolean NOT NULL,
    fee_amount numeric(14, 2)
);

CREATE TABLE analytics.fact_chargebacks (
    chargeback_id bigint PRIMARY KEY,
    transaction_id bigint NOT NULL,
    opened_on date NOT NULL,
    chargeback_month date NOT NULL,
    brand text NOT NULL,
    channel text NOT NULL,
    reason_code text NOT NULL,
    amount numeric(14, 2) NOT NULL,
    outcome text NOT NULL
);
