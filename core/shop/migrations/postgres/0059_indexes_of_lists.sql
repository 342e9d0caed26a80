-- The console's lists in a shop with 1,000,000 orders: what is to be packed, invoices in a state, and one kind of act.

DROP INDEX orders_to_pack;
CREATE INDEX orders_to_pack ON orders (status, id)
    WHERE status = 'paid' AND fulfillment_status IN ('unfulfilled', 'partially_fulfilled');
CREATE INDEX invoices_status ON invoices (status, id);
CREATE INDEX audit_log_act ON audit_log (act, id);
