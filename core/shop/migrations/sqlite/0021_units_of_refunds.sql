-- Units of items that customers have used, as the modules say that granted something for them.
CREATE TABLE unit_uses (
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    -- from 1 to the item's quantity
    unit INTEGER NOT NULL CHECK (unit > 0),
    module TEXT NOT NULL,
    PRIMARY KEY (order_item_id, unit, module)
);

-- Units whose money has gone back or is on its way back; each once. Those of a refund that failed are removed.
CREATE TABLE refund_units (
    order_item_id INTEGER NOT NULL REFERENCES order_items (id),
    unit INTEGER NOT NULL CHECK (unit > 0),
    refund_id INTEGER NOT NULL REFERENCES refunds (id),
    -- whether somebody had used it before
    used BOOLEAN NOT NULL,
    -- when its goods were taken back
    revoked_at TEXT,
    PRIMARY KEY (order_item_id, unit)
);

CREATE INDEX refund_units_refund ON refund_units (refund_id);

-- Until now the highest units went first, in the order in which refunds were settled; the last one took all that were left
-- where it made the refund whole.
INSERT INTO refund_units (order_item_id, unit, refund_id, used, revoked_at)
WITH RECURSIVE numbers (unit) AS (
    SELECT 1
    UNION ALL
    SELECT unit + 1 FROM numbers WHERE unit < (SELECT COALESCE(MAX(quantity), 0) FROM order_items)
),
settled AS (
    SELECT n.order_item_id, r.id AS refund_id, r.updated_at, n.quantity,
           SUM(n.quantity) OVER (PARTITION BY n.order_item_id ORDER BY r.updated_at, r.id) AS up_to
    FROM refund_items n JOIN refunds r ON r.id = n.refund_id
    WHERE r.status = 'succeeded'
),
revoked AS (
    SELECT i.id AS order_item_id, k.unit,
           COALESCE((SELECT s.refund_id FROM settled s
                     WHERE s.order_item_id = i.id AND s.quantity > 0 AND s.up_to > i.quantity - k.unit
                     ORDER BY s.up_to LIMIT 1),
                    (SELECT r.id FROM refunds r WHERE r.order_id = i.order_id AND r.status = 'succeeded'
                     ORDER BY r.updated_at DESC, r.id DESC LIMIT 1)) AS refund_id
    FROM order_items i JOIN numbers k ON k.unit > i.quantity - i.revoked_quantity AND k.unit <= i.quantity
)
SELECT v.order_item_id, v.unit, v.refund_id, FALSE, r.updated_at
FROM revoked v JOIN refunds r ON r.id = v.refund_id;
