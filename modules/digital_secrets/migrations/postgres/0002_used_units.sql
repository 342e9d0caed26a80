-- Refunds take units first whose value no customer has read.
INSERT INTO unit_uses (order_item_id, unit, module)
SELECT DISTINCT u.order_item_id, u.unit, 'digital_secrets'
FROM digital_secrets_reveals r JOIN digital_secrets_units u ON u.id = r.unit_id
WHERE r.actor = 'customer';
