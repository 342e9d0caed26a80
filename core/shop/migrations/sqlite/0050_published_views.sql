-- What modules read of the shop. Names, columns and types stay (docs/reference/views.md); the tables behind them may change.
CREATE VIEW shop_orders AS
SELECT id, customer_id, status, currency, subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount,
       prices_include_tax, discount_code, shipping_method_id, payment_method, language, fulfillment_status, capabilities,
       created_at, updated_at, paid_at, cancelled_at
FROM orders;

CREATE VIEW shop_order_lines AS
SELECT id, order_id, position, product_id, slug, sku, label, quantity, unit_amount, line_total_amount, discount_amount,
       tax_rate, tax_amount, options, capabilities, module_settings AS settings, shippable, shipped_quantity,
       refunded_quantity, revoked_quantity, added_by
FROM order_lines;

CREATE VIEW shop_refunded_units AS
SELECT order_line_id, unit, refund_id, used, revoked_at
FROM refund_units;

CREATE VIEW shop_products AS
SELECT id, slug, sku, name, price_amount, tax_class, category_id, capabilities, options, active, visible, changed_version,
       created_at, updated_at
FROM products;

CREATE VIEW shop_product_settings AS
SELECT product_id, module, settings
FROM product_settings;

CREATE VIEW shop_product_availability AS
SELECT product_id, module, shortage
FROM product_availability;

CREATE VIEW shop_catalog AS
SELECT version, listing_version
FROM catalog_state WHERE id = 1;

CREATE VIEW shop_customers AS
SELECT c.id, c.name, u.email, u.guest, u.email_verified_at, u.anonymized_at, c.created_at
FROM customers c JOIN users u ON u.id = c.user_id;

CREATE VIEW shop_payments AS
SELECT id, order_id, status, amount, currency, refunded_amount, gateway, paid_at, created_at, updated_at
FROM payments;

CREATE VIEW shop_payment_attempts AS
SELECT id, order_id, gateway, status, amount, currency, off_session, created_at, updated_at
FROM payment_attempts;

CREATE VIEW shop_saved_payment_methods AS
SELECT id, customer_id, gateway, created_at
FROM saved_payment_methods;

CREATE VIEW shop_tasks AS
SELECT id, kind, subject, payload, state, attempts, due_at, last_error, created_at
FROM tasks;
