-- Refunds take units first whose service was never active.
INSERT INTO unit_uses (order_item_id, unit, module)
SELECT order_item_id, unit, 'services' FROM services_services WHERE activated_at IS NOT NULL;
