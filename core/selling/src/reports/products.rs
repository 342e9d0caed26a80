//! Sales by product: what the books say of each document, taken apart into what was sold with it.

use serde::Serialize;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::states;

use super::period::Period;
use super::queries;

states! {
    /// What was sold.
    SoldKind, "kind of what is sold":
    /// A product.
    Product = "product",
    /// What a module charges beside the products.
    Fee = "fee",
    /// Sending it.
    Shipping = "shipping",
}

/// What was sold of one product to one country with one rate, less what was credited. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct ProductSalesRow {
    /// What it is.
    #[sqlx(try_from = "String")]
    pub kind: SoldKind,
    /// The product's name in URLs, as it was; null for what is no product.
    pub product: Option<String>,
    /// The name that customers have read; that of a language if there are several.
    pub label: Option<String>,
    /// Where the goods or the bill go.
    pub country: String,
    /// The rate in hundredths of a percent.
    pub rate_basis_points: i64,
    /// ISO 4217 code of the amounts.
    pub currency: String,
    /// How many were sold, less those that were refunded.
    pub units: i64,
    /// Before tax.
    pub base_amount: i64,
    /// The tax.
    pub tax_amount: i64,
    /// With tax.
    pub total_amount: i64,
}

/// Sales of a period by product, those with most revenue first.
pub async fn product_sales_report(db: &Db, period: Period) -> Result<Vec<ProductSalesRow>, DbError> {
    db.read(queries::BOOKED_BY_PRODUCT).bind(period.starts_at()).bind(period.ends_at()).all().await
}
