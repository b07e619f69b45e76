CREATE TABLE journal_schema (
    version INTEGER NOT NULL,
    PRIMARY KEY (version)
);
CREATE TABLE audit_entries (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at DATETIME NOT NULL,
    finished_at DATETIME,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    username TEXT NOT NULL,
    action TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    subject_id TEXT,
    subject_name TEXT,
    state TEXT NOT NULL,
    lease_until DATETIME,
    request TEXT,
    answer TEXT,
    message TEXT,
    search_text TEXT NOT NULL
);
CREATE INDEX audit_entries_by_subject_id ON audit_entries (service, organization_id, subject_kind, subject_id);
CREATE INDEX audit_entries_by_subject_name ON audit_entries (service, organization_id, subject_kind, subject_name);
CREATE INDEX audit_entries_by_organization ON audit_entries (service, organization_id, id);
CREATE TABLE rosters (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    changed_at DATETIME NOT NULL,
    entry_count INTEGER NOT NULL,
    CONSTRAINT rosters_name_is_unique UNIQUE (service, organization_id, name_key)
);
CREATE TABLE travellers (
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    external_id TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    learnt_at DATETIME NOT NULL,
    PRIMARY KEY (service, organization_id, external_id)
);
CREATE TABLE drafts (
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    username TEXT NOT NULL,
    kind TEXT NOT NULL,
    "key" TEXT NOT NULL,
    payload TEXT NOT NULL,
    saved_at DATETIME NOT NULL,
    claimed_at DATETIME,
    claim TEXT,
    PRIMARY KEY (service, organization_id, username, kind, "key")
);
CREATE TABLE handovers (
    id TEXT NOT NULL,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    "key" TEXT NOT NULL,
    payload TEXT NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL,
    written_by TEXT NOT NULL,
    handed_at DATETIME NOT NULL,
    decided_by TEXT,
    decided_at DATETIME,
    note TEXT,
    PRIMARY KEY (id)
);
CREATE INDEX handovers_by_key ON handovers (service, organization_id, kind, "key");
CREATE INDEX handovers_by_organization ON handovers (service, organization_id, kind, state);
CREATE TABLE wordings (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    event TEXT NOT NULL,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at DATETIME NOT NULL,
    CONSTRAINT wordings_name_is_unique UNIQUE (service, organization_id, event, name)
);
CREATE TABLE ledger_jobs (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    settings TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at DATETIME NOT NULL,
    state TEXT NOT NULL,
    message TEXT,
    owner TEXT,
    lease_until DATETIME,
    run_at DATETIME,
    run_from INTEGER NOT NULL,
    finished_at DATETIME
);
CREATE INDEX ledger_jobs_by_organization ON ledger_jobs (service, organization_id, kind, id);
CREATE TABLE column_matches (
    service TEXT NOT NULL,
    organization_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    columns TEXT NOT NULL,
    saved_by TEXT NOT NULL,
    saved_at DATETIME NOT NULL,
    PRIMARY KEY (service, organization_id, kind, name)
);
CREATE TABLE roster_entries (
    roster_id INTEGER NOT NULL,
    record_locator TEXT NOT NULL,
    position INTEGER NOT NULL,
    travellers TEXT NOT NULL,
    itinerary_ids TEXT NOT NULL,
    looked_up_at DATETIME,
    PRIMARY KEY (roster_id, record_locator),
    FOREIGN KEY(roster_id) REFERENCES rosters (id) ON DELETE CASCADE
);
CREATE TABLE roster_loads (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    roster_id INTEGER NOT NULL,
    started_by TEXT NOT NULL,
    started_at DATETIME NOT NULL,
    finished_at DATETIME,
    total INTEGER NOT NULL,
    done INTEGER NOT NULL,
    found INTEGER NOT NULL,
    not_found INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    state TEXT NOT NULL,
    lease_until DATETIME,
    message TEXT,
    FOREIGN KEY(roster_id) REFERENCES rosters (id) ON DELETE CASCADE
);
CREATE INDEX ix_roster_loads_roster_id ON roster_loads (roster_id);
CREATE TABLE ledger_items (
    job_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    lot TEXT NOT NULL,
    label TEXT NOT NULL,
    payload TEXT NOT NULL,
    rows TEXT NOT NULL,
    state TEXT NOT NULL,
    result_id TEXT,
    reasons TEXT,
    at DATETIME,
    PRIMARY KEY (job_id, position),
    FOREIGN KEY(job_id) REFERENCES ledger_jobs (id) ON DELETE CASCADE
);
CREATE INDEX ledger_items_by_state ON ledger_items (job_id, state, position);
