CREATE TABLE journal_schema (
    version SERIAL NOT NULL,
    PRIMARY KEY (version)
);
CREATE TABLE audit_entries (
    id BIGSERIAL NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    finished_at TIMESTAMP WITH TIME ZONE,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    username TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT,
    subject_name TEXT,
    state TEXT NOT NULL,
    lease_until TIMESTAMP WITH TIME ZONE,
    request TEXT,
    answer TEXT,
    message TEXT,
    search_text TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX audit_entries_by_subject_id ON audit_entries (service, organization_id, subject_kind, subject_id);
CREATE INDEX audit_entries_by_subject_name ON audit_entries (service, organization_id, subject_kind, subject_name);
CREATE INDEX audit_entries_by_organization ON audit_entries (service, organization_id, id);
CREATE TABLE rosters (
    id BIGSERIAL NOT NULL,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    changed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    entry_count INTEGER NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT rosters_name_is_unique UNIQUE (service, organization_id, name_key)
);
CREATE TABLE travellers (
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    external_id TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    learnt_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (service, organization_id, external_id)
);
CREATE TABLE drafts (
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    username TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    saved_at TIMESTAMP WITH TIME ZONE NOT NULL,
    claimed_at TIMESTAMP WITH TIME ZONE,
    claim TEXT,
    PRIMARY KEY (service, organization_id, username, kind, key)
);
CREATE TABLE handovers (
    id TEXT NOT NULL,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    payload TEXT NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    written_by TEXT NOT NULL,
    handed_at TIMESTAMP WITH TIME ZONE NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMP WITH TIME ZONE,
    note TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX handovers_by_key ON handovers (service, organization_id, kind, key);
CREATE INDEX handovers_by_organization ON handovers (service, organization_id, kind, state);
CREATE TABLE wordings (
    id BIGSERIAL NOT NULL,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    event TEXT NOT NULL,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT wordings_name_is_unique UNIQUE (service, organization_id, event, name)
);
CREATE TABLE ledger_jobs (
    id BIGSERIAL NOT NULL,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    settings TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    state TEXT NOT NULL,
    message TEXT,
    owner TEXT,
    lease_until TIMESTAMP WITH TIME ZONE,
    run_at TIMESTAMP WITH TIME ZONE,
    run_from INTEGER NOT NULL,
    finished_at TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (id)
);
CREATE INDEX ledger_jobs_by_organization ON ledger_jobs (service, organization_id, kind, id);
CREATE TABLE column_matches (
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    columns TEXT NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (service, organization_id, kind, name)
);
CREATE TABLE roster_entries (
    roster_id BIGINT NOT NULL,
    record_locator TEXT NOT NULL,
    position INTEGER NOT NULL,
    travellers TEXT NOT NULL,
    itinerary_ids TEXT NOT NULL,
    looked_up_at TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (roster_id, record_locator),
    FOREIGN KEY(roster_id) REFERENCES rosters (id) ON DELETE CASCADE
);
CREATE TABLE roster_loads (
    id BIGSERIAL NOT NULL,
    roster_id BIGINT NOT NULL,
    started_by TEXT NOT NULL,
    started_at TIMESTAMP WITH TIME ZONE NOT NULL,
    finished_at TIMESTAMP WITH TIME ZONE,
    total INTEGER NOT NULL,
    done INTEGER NOT NULL,
    found INTEGER NOT NULL,
    not_found INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    state TEXT NOT NULL,
    lease_until TIMESTAMP WITH TIME ZONE,
    message TEXT,
    PRIMARY KEY (id),
    FOREIGN KEY(roster_id) REFERENCES rosters (id) ON DELETE CASCADE
);
CREATE INDEX ix_roster_loads_roster_id ON roster_loads (roster_id);
CREATE TABLE ledger_items (
    job_id BIGINT NOT NULL,
    position INTEGER NOT NULL,
    lot TEXT NOT NULL,
    label TEXT NOT NULL,
    payload TEXT NOT NULL,
    rows TEXT NOT NULL,
    state TEXT NOT NULL,
    result_id TEXT,
    reasons TEXT,
    at TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (job_id, position),
    FOREIGN KEY(job_id) REFERENCES ledger_jobs (id) ON DELETE CASCADE
);
CREATE INDEX ledger_items_by_state ON ledger_items (job_id, state, position);
