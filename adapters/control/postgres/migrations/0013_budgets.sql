-- What was used of each day's budget, each spending once: `once` names the run and the step that spent it.
CREATE TABLE countersign.budget_entries (
    once        text PRIMARY KEY,
    run         text NOT NULL,
    day         date NOT NULL,
    person      text NOT NULL,
    tenant      text NOT NULL,
    domain      text NOT NULL,
    queries     bigint NOT NULL,
    result_rows bigint NOT NULL,
    tokens      bigint NOT NULL,
    money       numeric(24, 6) NOT NULL,
    booked_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX budget_entries_day ON countersign.budget_entries (day);

-- The same, summed by day and account: `person:<id>` or `tenant:<name>`.
CREATE TABLE countersign.budget_days (
    day         date NOT NULL,
    account     text NOT NULL,
    queries     bigint NOT NULL DEFAULT 0,
    result_rows bigint NOT NULL DEFAULT 0,
    tokens      bigint NOT NULL DEFAULT 0,
    money       numeric(24, 6) NOT NULL DEFAULT 0,
    PRIMARY KEY (day, account)
);

CREATE FUNCTION countersign.is_over(used numeric[], needed numeric[], capped numeric[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(bool_or(m.need > 0 AND m.used + m.need > m.cap), false)
    FROM unnest(used, needed, capped) AS m (used, need, cap)
$$;

-- Books a spending unless it is known, or what is needed no longer fits a cap (NULL: none). Arrays hold queries, rows,
-- tokens, money. The person's row is locked before the tenant's, everywhere: spendings never wait in a circle.
CREATE FUNCTION countersign.spend(
    of_once text, of_run text, on_day date, by_person text, in_tenant text, of_domain text,
    amounts numeric[], needed numeric[], person_caps numeric[], tenant_caps numeric[]
) RETURNS TABLE (fits boolean, of_person numeric[], of_tenant numeric[]) LANGUAGE plpgsql AS $$
DECLARE
    accounts CONSTANT text[] := ARRAY['person:' || by_person, 'tenant:' || in_tenant];
BEGIN
    INSERT INTO countersign.budget_days (day, account) VALUES (on_day, accounts[1]) ON CONFLICT DO NOTHING;
    INSERT INTO countersign.budget_days (day, account) VALUES (on_day, accounts[2]) ON CONFLICT DO NOTHING;
    SELECT ARRAY[d.queries, d.result_rows, d.tokens, d.money] INTO of_person
        FROM countersign.budget_days AS d WHERE d.day = on_day AND d.account = accounts[1] FOR UPDATE;
    SELECT ARRAY[d.queries, d.result_rows, d.tokens, d.money] INTO of_tenant
        FROM countersign.budget_days AS d WHERE d.day = on_day AND d.account = accounts[2] FOR UPDATE;
    fits := true;
    IF EXISTS (SELECT FROM countersign.budget_entries AS e WHERE e.once = of_once) THEN
        RETURN NEXT;
        RETURN;
    END IF;
    IF countersign.is_over(of_person, needed, person_caps) OR countersign.is_over(of_tenant, needed, tenant_caps) THEN
        fits := false;
        RETURN NEXT;
        RETURN;
    END IF;
    INSERT INTO countersign.budget_entries
        (once, run, day, person, tenant, domain, queries, result_rows, tokens, money)
        VALUES (of_once, of_run, on_day, by_person, in_tenant, of_domain, amounts[1], amounts[2], amounts[3], amounts[4])
        ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE countersign.budget_days AS d
            SET queries = d.queries + amounts[1], result_rows = d.result_rows + amounts[2],
                tokens = d.tokens + amounts[3], money = d.money + amounts[4]
            WHERE d.day = on_day AND d.account = ANY (accounts);
        SELECT array_agg(m.used + m.added ORDER BY m.place) INTO of_person
            FROM unnest(of_person, amounts) WITH ORDINALITY AS m (used, added, place);
        SELECT array_agg(m.used + m.added ORDER BY m.place) INTO of_tenant
            FROM unnest(of_tenant, amounts) WITH ORDINALITY AS m (used, added, place);
    END IF;
    RETURN NEXT;
END
$$;
