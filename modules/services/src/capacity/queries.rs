//! Statements about the room for services.

use stoa_core::prelude::*;

pub(crate) const ENSURE_PLAN: Sql = sql!(
    "INSERT INTO services_plans (provider, plan, used) VALUES ($1, $2, 0) ON CONFLICT (provider, plan) DO NOTHING"
);

/// Within both limits, whoever else takes at this moment.
pub(crate) const TAKE: Sql = sql!(
    "UPDATE services_plans SET used = used + $3
     WHERE provider = $1 AND plan = $2 AND (CAST($4 AS BIGINT) IS NULL OR used + $3 <= $4)
       AND (provider_capacity IS NULL OR used + $3 <= provider_capacity)"
);

pub(crate) const CHANGE: Sql = sql!("UPDATE services_plans SET used = used + $3 WHERE provider = $1 AND plan = $2");

pub(crate) const RESERVE: Sql = sql!(
    "INSERT INTO services_reservations (order_line_id, order_id, provider, plan, quantity, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)"
);

/// The rows are given to one alone, however many ask for them.
pub(crate) const END_RESERVATIONS: Sql =
    sql!("DELETE FROM services_reservations WHERE order_id = $1 RETURNING provider, plan, quantity");

pub(crate) const LIST_PLANS: Sql =
    sql!("SELECT provider, plan, used, provider_capacity FROM services_plans ORDER BY provider, plan");

pub(crate) const FIND_PLAN: Sql =
    sql!("SELECT provider, plan, used, provider_capacity FROM services_plans WHERE provider = $1 AND plan = $2");

/// The settings of all products that this module has some of.
pub(crate) const PRODUCT_SETTINGS: Sql = sql!(
    "SELECT p.slug, s.settings FROM shop_product_settings s JOIN shop_products p ON p.id = s.product_id
     WHERE s.module = 'services' ORDER BY p.slug"
);

pub(crate) const NOTE_CAPACITY: Sql =
    sql!("UPDATE services_plans SET provider_capacity = $3, checked_at = $4 WHERE provider = $1 AND plan = $2");
