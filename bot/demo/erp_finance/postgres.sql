DROP TABLE IF EXISTS fin_plan, fin_actuals, trm_accounts, cost_centers, cebes, companies;

CREATE TABLE companies (
    company varchar(4) PRIMARY KEY,
    company_name varchar(60) NOT NULL,
    country varchar(40) NOT NULL
);

CREATE TABLE cebes (
    cebe varchar(10) PRIMARY KEY,
    cebe_name varchar(60) NOT NULL,
    business_unit varchar(40) NOT NULL,
    region varchar(40) NOT NULL,
    manager_role varchar(40) NOT NULL
);

CREATE TABLE cost_centers (
    cost_center varchar(10) PRIMARY KEY,
    cost_center_name varchar(60) NOT NULL,
    cebe varchar(10) NOT NULL REFERENCES cebes
);

CREATE TABLE trm_accounts (
    account varchar(10) PRIMARY KEY,
    account_name varchar(80) NOT NULL,
    account_group varchar(40) NOT NULL,
    statement_line varchar(40) NOT NULL,
    sign integer NOT NULL CHECK (sign IN (-1, 1))
);

CREATE TABLE fin_actuals (
    period char(7) NOT NULL,
    company varchar(4) NOT NULL REFERENCES companies,
    cebe varchar(10) NOT NULL REFERENCES cebes,
    cost_center varchar(10) REFERENCES cost_centers,
    account varchar(10) NOT NULL REFERENCES trm_accounts,
    amount decimal(18, 2) NOT NULL,
    currency varchar(3) NOT NULL,
    UNIQUE NULLS NOT DISTINCT (period, company, cebe, cost_center, account)
);

CREATE TABLE fin_plan (
    period char(7) NOT NULL,
    company varchar(4) NOT NULL REFERENCES companies,
    cebe varchar(10) NOT NULL REFERENCES cebes,
    account varchar(10) NOT NULL REFERENCES trm_accounts,
    version integer NOT NULL,
    amount decimal(18, 2) NOT NULL,
    PRIMARY KEY (period, company, cebe, account, version)
);

GRANT USAGE ON SCHEMA public TO agent_reader;
GRANT SELECT ON fin_actuals, fin_plan, trm_accounts, cebes, companies, cost_centers TO agent_reader;
