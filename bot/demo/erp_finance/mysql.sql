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
    cebe varchar(10) NOT NULL,
    FOREIGN KEY (cebe) REFERENCES cebes (cebe)
);

CREATE TABLE trm_accounts (
    account varchar(10) PRIMARY KEY,
    account_name varchar(80) NOT NULL,
    account_group varchar(40) NOT NULL,
    statement_line varchar(40) NOT NULL,
    sign int NOT NULL CHECK (sign IN (-1, 1))
);

CREATE TABLE fin_actuals (
    period char(7) NOT NULL,
    company varchar(4) NOT NULL,
    cebe varchar(10) NOT NULL,
    cost_center varchar(10),
    account varchar(10) NOT NULL,
    amount decimal(18, 2) NOT NULL,
    currency varchar(3) NOT NULL,
    UNIQUE (period, company, cebe, cost_center, account),
    FOREIGN KEY (company) REFERENCES companies (company),
    FOREIGN KEY (cebe) REFERENCES cebes (cebe),
    FOREIGN KEY (cost_center) REFERENCES cost_centers (cost_center),
    FOREIGN KEY (account) REFERENCES trm_accounts (account)
);

CREATE TABLE fin_plan (
    period char(7) NOT NULL,
    company varchar(4) NOT NULL,
    cebe varchar(10) NOT NULL,
    account varchar(10) NOT NULL,
    version int NOT NULL,
    amount decimal(18, 2) NOT NULL,
    PRIMARY KEY (period, company, cebe, account, version),
    FOREIGN KEY (company) REFERENCES companies (company),
    FOREIGN KEY (cebe) REFERENCES cebes (cebe),
    FOREIGN KEY (account) REFERENCES trm_accounts (account)
);

GRANT SELECT ON fin_actuals TO agent_reader@localhost;
GRANT SELECT ON fin_plan TO agent_reader@localhost;
GRANT SELECT ON trm_accounts TO agent_reader@localhost;
GRANT SELECT ON cebes TO agent_reader@localhost;
GRANT SELECT ON companies TO agent_reader@localhost;
GRANT SELECT ON cost_centers TO agent_reader@localhost;
