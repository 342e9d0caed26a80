-- What is owed for an order, and what came of it.
CREATE TABLE payments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL UNIQUE REFERENCES orders (id),
    status TEXT NOT NULL
        CHECK (status IN ('pending', 'paid', 'failed', 'cancelled', 'expired', 'partially_refunded', 'refunded')),
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    refunded_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
    -- asked for, and not known to have gone back yet
    refunding_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunding_amount >= 0),
    -- what the money came through
    gateway TEXT,
    attempt_id INTEGER,
    paid_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    CHECK (refunded_amount + refunding_amount <= amount)
);

CREATE TABLE payment_attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    payment_id INTEGER NOT NULL REFERENCES payments (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    gateway TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'succeeded', 'failed', 'cancelled', 'expired')),
    -- ours; the provider's idempotency key
    reference BLOB NOT NULL UNIQUE,
    -- the provider's; none until it has answered
    provider_id TEXT,
    -- what refunds refer to at the provider
    provider_payment_id TEXT,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    return_url TEXT NOT NULL,
    cancel_url TEXT NOT NULL,
    redirect_url TEXT,
    expires_at TEXT,
    -- when the provider is asked again, how often it was, and what it said last
    next_check_at TEXT,
    checks INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (gateway, provider_id)
);

CREATE INDEX payment_attempts_order ON payment_attempts (order_id, id);
-- Never two that can be paid.
CREATE UNIQUE INDEX payment_attempts_open ON payment_attempts (order_id) WHERE status IN ('pending', 'processing');
CREATE INDEX payment_attempts_check ON payment_attempts (next_check_at) WHERE next_check_at IS NOT NULL;

-- What providers have told us, each message once.
CREATE TABLE payment_callbacks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    gateway TEXT NOT NULL,
    event_id TEXT NOT NULL,
    event_type TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'processed', 'ignored', 'unmatched', 'flagged')),
    attempt_id INTEGER REFERENCES payment_attempts (id),
    order_id INTEGER REFERENCES orders (id),
    -- what it said, in our words; none of the provider's body is kept
    notification TEXT NOT NULL,
    reason TEXT,
    -- an unmatched one is tried again until then
    next_try_at TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    received_at TEXT NOT NULL,
    processed_at TEXT,
    UNIQUE (gateway, event_id)
);

CREATE INDEX payment_callbacks_try ON payment_callbacks (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX payment_callbacks_received ON payment_callbacks (received_at);

CREATE TABLE refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    payment_id INTEGER NOT NULL REFERENCES payments (id),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
    amount INTEGER NOT NULL CHECK (amount > 0),
    -- how much of it is for shipping, and the tax in that
    shipping_amount INTEGER NOT NULL DEFAULT 0 CHECK (shipping_amount BETWEEN 0 AND amount),
    shipping_tax_amount INTEGER NOT NULL DEFAULT 0 CHECK (shipping_tax_amount BETWEEN 0 AND shipping_amount),
    currency TEXT NOT NULL,
    reason TEXT NOT NULL,
    gateway TEXT NOT NULL,
    -- ours; the provider's idempotency key
    reference BLOB NOT NULL UNIQUE,
    provider_id TEXT,
    next_check_at TEXT,
    checks INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE INDEX refunds_order ON refunds (order_id, id);
CREATE INDEX refunds_payment ON refunds (payment_id);
CREATE INDEX refunds_check ON refunds (next_check_at) WHERE next_check_at IS NOT NULL;

-- What of a refund is for which item.
CREATE TABLE refund_items (
    refund_id INTEGER NOT NULL REFERENCES refunds (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    -- units; 0 when an amount is refunded that is spread over everything
    quantity INTEGER NOT NULL CHECK (quantity >= 0),
    amount INTEGER NOT NULL CHECK (amount >= 0),
    tax_amount INTEGER NOT NULL CHECK (tax_amount >= 0),
    PRIMARY KEY (refund_id, order_item_id)
);
