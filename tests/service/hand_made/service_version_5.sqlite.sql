CREATE TABLE schema_version (
    version INTEGER NOT NULL
);
CREATE TABLE facts (
    name VARCHAR(100) NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);
CREATE TABLE organizations (
    id BIGINT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE users (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    username VARCHAR(200) NOT NULL,
    password_hash TEXT NOT NULL,
    display_name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    UNIQUE (username)
);
CREATE TABLE organization_access (
    user_id BIGINT NOT NULL,
    organization_id BIGINT NOT NULL,
    PRIMARY KEY (user_id, organization_id),
    FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
    FOREIGN KEY(organization_id) REFERENCES organizations (id) ON DELETE CASCADE
);
CREATE TABLE contacts (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    external_id TEXT NOT NULL,
    external_id_folded TEXT NOT NULL,
    record_type_id BIGINT NOT NULL,
    first_name TEXT NOT NULL,
    middle_name TEXT,
    last_name TEXT NOT NULL,
    email_addresses JSON NOT NULL,
    phone_numbers JSON NOT NULL,
    status VARCHAR(1) NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX contacts_external_id ON contacts (organization_id, external_id) WHERE status = 'A';
CREATE INDEX contacts_external_id_folded ON contacts (organization_id, external_id_folded);
CREATE TABLE itineraries (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    pnr TEXT NOT NULL,
    external_itinerary_id TEXT,
    document JSON NOT NULL,
    status VARCHAR(1) NOT NULL,
    generated BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE INDEX itineraries_external_itinerary_id ON itineraries (organization_id, external_itinerary_id) WHERE status = 'A';
CREATE UNIQUE INDEX itineraries_pnr ON itineraries (organization_id, pnr) WHERE status = 'A';
CREATE TABLE withheld_features (
    user_id BIGINT NOT NULL,
    feature VARCHAR(50) NOT NULL,
    PRIMARY KEY (user_id, feature),
    FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);
CREATE TABLE contact_filters (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    created_name TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    modified_name TEXT NOT NULL,
    name VARCHAR(100) NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE INDEX contact_filters_in_order ON contact_filters (organization_id, id) WHERE status = 'A';
CREATE UNIQUE INDEX contact_filters_name ON contact_filters (organization_id, name) WHERE status = 'A';
CREATE TABLE notifications (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    created_name TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    modified_name TEXT NOT NULL,
    document JSON NOT NULL,
    notification_event_id BIGINT,
    ends_at BIGINT NOT NULL,
    stopped BOOLEAN NOT NULL,
    demo_number INTEGER,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE INDEX notifications_newest ON notifications (organization_id, created_at, id);
CREATE TABLE event_groups (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    group_name TEXT NOT NULL,
    status VARCHAR(1) NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX event_groups_name ON event_groups (organization_id, group_name) WHERE status = 'A';
CREATE TABLE notification_events (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    created_name TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    modified_name TEXT NOT NULL,
    name VARCHAR(255),
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE INDEX notification_events_in_order ON notification_events (organization_id, id) WHERE status = 'A';
CREATE UNIQUE INDEX notification_events_name ON notification_events (organization_id, name) WHERE status = 'A';
CREATE TABLE notification_categories (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    created_name TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    modified_name TEXT NOT NULL,
    name VARCHAR(255),
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX notification_categories_name ON notification_categories (organization_id, name) WHERE status = 'A';
CREATE INDEX notification_categories_in_order ON notification_categories (organization_id, id) WHERE status = 'A';
CREATE TABLE lookup_mappings (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    fingerprint VARCHAR(64) NOT NULL,
    target_groups JSON NOT NULL,
    attributes JSON NOT NULL,
    created_by TEXT NOT NULL,
    modified_by TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX lookup_mappings_fingerprint ON lookup_mappings (organization_id, fingerprint) WHERE status = 'A';
CREATE INDEX lookup_mappings_modified_at ON lookup_mappings (organization_id, modified_at);
CREATE TABLE assets (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    external_id TEXT NOT NULL,
    name TEXT NOT NULL,
    asset_type_id TEXT NOT NULL,
    document JSON NOT NULL,
    latitude FLOAT,
    longitude FLOAT,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX assets_external_id ON assets (organization_id, external_id) WHERE status = 'A';
CREATE TABLE shape_folders (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX shape_folders_name ON shape_folders (organization_id, name);
CREATE TABLE crisis_templates (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    id VARCHAR(64) NOT NULL,
    organization_id BIGINT NOT NULL,
    status VARCHAR(1) NOT NULL,
    name TEXT NOT NULL,
    name_lower_case TEXT NOT NULL,
    title TEXT NOT NULL,
    title_lower_case TEXT NOT NULL,
    description TEXT NOT NULL,
    local_description TEXT NOT NULL,
    event_type TEXT NOT NULL,
    folder_id TEXT NOT NULL,
    folder_name TEXT,
    created_name TEXT NOT NULL,
    created_id BIGINT NOT NULL,
    created_date BIGINT NOT NULL,
    last_modified_name TEXT NOT NULL,
    last_modified_id BIGINT NOT NULL,
    last_modified_date BIGINT NOT NULL,
    enable_notification BOOLEAN NOT NULL,
    enable_auto_launch BOOLEAN NOT NULL,
    delete_flag TEXT NOT NULL,
    bulk_ops_time BIGINT NOT NULL,
    owner_id BIGINT NOT NULL,
    owner_name TEXT,
    file_ids JSON NOT NULL,
    task_list_templates JSON NOT NULL,
    task_list_temp_ids JSON,
    dashboard_template_ids JSON,
    crisis_incidents JSON NOT NULL,
    is_used BOOLEAN NOT NULL,
    is_system BOOLEAN NOT NULL,
    UNIQUE (id),
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE UNIQUE INDEX crisis_templates_system ON crisis_templates (organization_id) WHERE is_system;
CREATE INDEX crisis_templates_organization ON crisis_templates (organization_id);
CREATE TABLE upload_batches (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    upload_batch_type VARCHAR(40) NOT NULL,
    file_name TEXT NOT NULL,
    file_size BIGINT NOT NULL,
    content BLOB,
    upload_status VARCHAR(20) NOT NULL,
    rows_done INTEGER NOT NULL,
    row_count INTEGER NOT NULL,
    success_num INTEGER NOT NULL,
    with_error_num INTEGER NOT NULL,
    critical_num INTEGER NOT NULL,
    geo_success_num INTEGER NOT NULL,
    geo_fail_num INTEGER NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    created_name TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    claimed_by VARCHAR(64),
    claimed_until BIGINT,
    FOREIGN KEY(organization_id) REFERENCES organizations (id)
);
CREATE INDEX upload_batches_status ON upload_batches (upload_status, organization_id);
CREATE TABLE contact_keys (
    organization_id BIGINT NOT NULL,
    "key" VARCHAR(64) NOT NULL,
    contact_id BIGINT NOT NULL,
    PRIMARY KEY (organization_id, "key"),
    FOREIGN KEY(organization_id) REFERENCES organizations (id),
    FOREIGN KEY(contact_id) REFERENCES contacts (id)
);
CREATE TABLE expected_locations (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    itinerary_id BIGINT NOT NULL,
    contact_id BIGINT NOT NULL,
    contact_external_id TEXT NOT NULL,
    travel_category VARCHAR(10) NOT NULL,
    travel_type VARCHAR(10) NOT NULL,
    is_international_travel BOOLEAN NOT NULL,
    is_local_travel BOOLEAN NOT NULL,
    arrive_at BIGINT NOT NULL,
    expire_at BIGINT NOT NULL,
    location_name TEXT,
    street_address TEXT,
    city TEXT,
    state TEXT,
    postal_code TEXT,
    country TEXT,
    iata TEXT,
    latitude FLOAT,
    longitude FLOAT,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    created_name TEXT NOT NULL,
    modified_at BIGINT NOT NULL,
    modified_by BIGINT NOT NULL,
    modified_name TEXT NOT NULL,
    FOREIGN KEY(itinerary_id) REFERENCES itineraries (id),
    FOREIGN KEY(contact_id) REFERENCES contacts (id)
);
CREATE INDEX expected_locations_itinerary ON expected_locations (itinerary_id);
CREATE TABLE contact_filter_rules (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    filter_id BIGINT NOT NULL,
    position INTEGER NOT NULL,
    document JSON NOT NULL,
    FOREIGN KEY(filter_id) REFERENCES contact_filters (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX contact_filter_rules_filter ON contact_filter_rules (filter_id, position);
CREATE TABLE lookup_mapping_values (
    mapping_number BIGINT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (mapping_number, name, value),
    FOREIGN KEY(mapping_number) REFERENCES lookup_mappings (number)
);
CREATE TABLE lookup_mapping_groups (
    mapping_number BIGINT NOT NULL,
    group_id BIGINT NOT NULL,
    PRIMARY KEY (mapping_number, group_id),
    FOREIGN KEY(mapping_number) REFERENCES lookup_mappings (number)
);
CREATE TABLE shape_regions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    folder_id BIGINT,
    name TEXT NOT NULL,
    file_name TEXT NOT NULL,
    geometry TEXT NOT NULL,
    feature_count INTEGER NOT NULL,
    west FLOAT NOT NULL,
    south FLOAT NOT NULL,
    east FLOAT NOT NULL,
    north FLOAT NOT NULL,
    created_at BIGINT NOT NULL,
    created_by BIGINT NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id),
    FOREIGN KEY(folder_id) REFERENCES shape_folders (id)
);
CREATE UNIQUE INDEX shape_regions_name ON shape_regions (organization_id, name);
CREATE INDEX shape_regions_folder ON shape_regions (folder_id);
CREATE TABLE upload_errors (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    batch_id BIGINT NOT NULL,
    row_number INTEGER NOT NULL,
    column_name TEXT NOT NULL,
    column_value TEXT NOT NULL,
    code VARCHAR(60) NOT NULL,
    FOREIGN KEY(batch_id) REFERENCES upload_batches (id)
);
CREATE INDEX upload_errors_batch ON upload_errors (batch_id, id);
CREATE TABLE dynamic_locations (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    organization_id BIGINT NOT NULL,
    contact_id BIGINT NOT NULL,
    source TEXT NOT NULL,
    arrive_at BIGINT NOT NULL,
    expire_at BIGINT,
    location_id TEXT,
    latitude FLOAT,
    longitude FLOAT,
    street TEXT,
    suite TEXT,
    city TEXT,
    state TEXT,
    postal_code TEXT,
    country TEXT,
    floor_no TEXT,
    room_no TEXT,
    reference_id TEXT,
    batch_id BIGINT NOT NULL,
    modified_at BIGINT NOT NULL,
    FOREIGN KEY(organization_id) REFERENCES organizations (id),
    FOREIGN KEY(contact_id) REFERENCES contacts (id),
    FOREIGN KEY(batch_id) REFERENCES upload_batches (id)
);
CREATE UNIQUE INDEX dynamic_locations_person ON dynamic_locations (organization_id, contact_id, source);
