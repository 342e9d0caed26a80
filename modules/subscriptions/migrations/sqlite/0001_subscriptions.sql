-- One for each unit that was sold.
CREATE TABLE subscriptions_subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    -- what it was sold with, and which unit of that item
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    unit INTEGER NOT NULL CHECK (unit > 0),
    -- the product as it was then
    product_id INTEGER NOT NULL,
    product_slug TEXT NOT NULL,
    product_name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'past_due', 'cancelled', 'ended')),
    interval_unit TEXT NOT NULL CHECK (interval_unit IN ('day', 'week', 'month', 'year')),
    interval_count INTEGER NOT NULL CHECK (interval_count > 0),
    trial_days INTEGER NOT NULL CHECK (trial_days >= 0),
    -- what each renewal costs, as it was agreed on
    price_amount INTEGER NOT NULL CHECK (price_amount >= 0),
    currency TEXT NOT NULL,
    -- the latest period that is paid, 0 before the first
    period INTEGER NOT NULL DEFAULT 0 CHECK (period >= 0),
    current_period_start TEXT,
    current_period_end TEXT,
    -- the moment that all periods are counted from, and the period that begins then
    anchor_at TEXT,
    anchor_period INTEGER NOT NULL DEFAULT 1 CHECK (anchor_period > 0),
    cancel_at_period_end BOOLEAN NOT NULL DEFAULT FALSE,
    started_at TEXT,
    -- since when a renewal is overdue, and since when the unit is withheld for that
    past_due_at TEXT,
    suspended_at TEXT,
    ended_at TEXT,
    end_reason TEXT,
    -- when there is something to be done next; none when nothing ever is
    next_check_at TEXT,
    -- why the last renewal could not be placed
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (order_item_id, unit),
    CHECK ((status = 'pending') = (started_at IS NULL AND ended_at IS NULL)),
    CHECK ((status IN ('cancelled', 'ended')) = (ended_at IS NOT NULL))
);

CREATE INDEX subscriptions_customer ON subscriptions_subscriptions (customer_id, id);
CREATE INDEX subscriptions_order ON subscriptions_subscriptions (order_id);
CREATE INDEX subscriptions_check ON subscriptions_subscriptions (next_check_at) WHERE next_check_at IS NOT NULL;

-- The periods of a subscription, each with the order that pays it.
CREATE TABLE subscriptions_periods (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription_id INTEGER NOT NULL REFERENCES subscriptions_subscriptions (id),
    -- from 1; the first is what the product was bought with
    number INTEGER NOT NULL CHECK (number > 0),
    starts_at TEXT NOT NULL,
    ends_at TEXT NOT NULL,
    -- withdrawn: its order is to be cancelled; void: it is
    state TEXT NOT NULL CHECK (state IN ('open', 'paid', 'withdrawn', 'void')),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    -- whether it begins with its payment, and not where the one before it ends
    restarted BOOLEAN NOT NULL DEFAULT FALSE,
    -- how often a saved payment method was charged in vain, since when, when it is next, and what the provider said
    charges INTEGER NOT NULL DEFAULT 0,
    charged_at TEXT,
    next_charge_at TEXT,
    last_error TEXT,
    created_at TEXT NOT NULL,
    paid_at TEXT,
    CHECK (ends_at > starts_at)
);

-- Exactly one renewal for each period, whatever is repeated.
CREATE UNIQUE INDEX subscriptions_periods_once ON subscriptions_periods (subscription_id, number)
    WHERE state IN ('open', 'paid');
CREATE INDEX subscriptions_periods_order ON subscriptions_periods (order_id);
CREATE INDEX subscriptions_periods_item ON subscriptions_periods (order_item_id);
CREATE INDEX subscriptions_periods_withdrawn ON subscriptions_periods (id) WHERE state = 'withdrawn';
