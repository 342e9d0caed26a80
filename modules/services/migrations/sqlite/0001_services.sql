-- How much of a plan is promised or running, and how much the provider says it can run.
CREATE TABLE services_plans (
    provider TEXT NOT NULL,
    plan TEXT NOT NULL,
    -- units that unpaid orders have reserved, and services that take up room
    used INTEGER NOT NULL DEFAULT 0 CHECK (used >= 0),
    -- services that the provider can run at once, those that it runs included; none while it sets no limit
    provider_capacity INTEGER CHECK (provider_capacity >= 0),
    checked_at TEXT,
    PRIMARY KEY (provider, plan)
);

-- What orders that are not paid yet keep free.
CREATE TABLE services_reservations (
    order_item_id INTEGER PRIMARY KEY REFERENCES order_items (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    provider TEXT NOT NULL,
    plan TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity > 0),
    created_at TEXT NOT NULL
);

CREATE INDEX services_reservations_order ON services_reservations (order_id);

-- One row for each unit that was sold and paid.
CREATE TABLE services_services (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    -- which of the item's units, from 1
    unit INTEGER NOT NULL CHECK (unit > 0),
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    product_id INTEGER NOT NULL,
    product_slug TEXT NOT NULL,
    product_name TEXT NOT NULL,
    provider TEXT NOT NULL,
    plan TEXT NOT NULL,
    -- what the provider knows it by: the same in every call
    service_key TEXT NOT NULL UNIQUE,
    -- what the customer selected, by option
    parameters TEXT NOT NULL,
    status TEXT NOT NULL
        CHECK (status IN ('pending', 'provisioning', 'active', 'suspended', 'terminated', 'failed')),
    -- what the provider has confirmed last
    remote_state TEXT NOT NULL
        CHECK (remote_state IN ('absent', 'creating', 'active', 'suspended', 'terminated')),
    -- a call whose outcome is not known (yet)
    open_call TEXT CHECK (open_call IN ('create', 'suspend', 'resume', 'terminate')),
    external_ref TEXT,
    -- encrypted
    credentials BLOB,
    holds_capacity BOOLEAN NOT NULL,
    -- why it is not to run
    operator_suspended_at TEXT,
    entitlement_suspended_at TEXT,
    over_at TEXT,
    over_reason TEXT CHECK (over_reason IN ('refunded', 'ended', 'operator', 'erased')),
    terminate_at TEXT,
    -- until then a suspended entitlement does not suspend it
    hold_until TEXT,
    -- changes at the provider so far: what tells one suspension from the next
    turn INTEGER NOT NULL DEFAULT 0,
    -- failed calls in a row
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    needs_attention BOOLEAN NOT NULL DEFAULT FALSE,
    -- when a worker is to look at it; none while there is nothing to do
    due_at TEXT,
    lease TEXT,
    leased_until TEXT,
    -- how the provider was found to differ, when it was last compared
    drift TEXT,
    compared_at TEXT NOT NULL,
    erased BOOLEAN NOT NULL DEFAULT FALSE,
    activated_at TEXT,
    suspended_at TEXT,
    terminated_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (order_item_id, unit),
    CHECK ((over_at IS NULL) = (over_reason IS NULL)),
    CHECK ((status = 'terminated') = (terminated_at IS NOT NULL))
);

CREATE INDEX services_services_customer ON services_services (customer_id, id);
CREATE INDEX services_services_order ON services_services (order_id);
CREATE INDEX services_services_due ON services_services (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX services_services_attention ON services_services (id) WHERE needs_attention = TRUE;
CREATE INDEX services_services_drift ON services_services (id) WHERE drift IS NOT NULL;
CREATE INDEX services_services_status ON services_services (status, compared_at);
CREATE INDEX services_services_plan ON services_services (provider, plan) WHERE holds_capacity = TRUE;

-- What was done with a service, by whom, and what came of it.
CREATE TABLE services_actions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    service_id INTEGER NOT NULL REFERENCES services_services (id),
    action TEXT NOT NULL,
    -- `worker`, `operator` or `shop`
    actor TEXT NOT NULL,
    provider TEXT NOT NULL,
    -- `done`, `waiting`, `refused`, `unavailable`, `unknown`
    result TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    detail TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX services_actions_service ON services_actions (service_id, id);
