CREATE SCHEMA mart;

CREATE TABLE mart.price_facts (
    price_id bigint PRIMARY KEY,
    item_name text NOT NULL,
    item_group text NOT NULL,
    supplier text NOT NULL,
    sheet_period char(7) NOT NULL,
    region text NOT NULL,
    value numeric(12, 2),
    quantity_t numeric(12, 3),
    is_blank integer NOT NULL CHECK (is_blank IN (0, 1)),
    UNIQUE (sheet_period, item_name, supplier, region),
    CHECK ((value IS NULL) = (is_blank = 1) AND (quantity_t IS NULL) = (is_blank = 1))
);

CREATE TABLE mart.metrics (
    metric_name text NOT NULL,
    sheet_period char(7) NOT NULL,
    value numeric(16, 2) NOT NULL,
    unit text NOT NULL,
    PRIMARY KEY (metric_name, sheet_period)
);

GRANT USAGE ON SCHEMA mart TO agent_reader;
GRANT SELECT ON mart.price_facts, mart.metrics TO agent_reader;
