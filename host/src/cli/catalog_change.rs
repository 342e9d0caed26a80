//! Changing one record of the catalog from the command line.

use stoa_core::catalog::write::{CatalogWriter, Change, Mode};
use stoa_core::catalog::{Record, export_categories, export_product, fold};

use super::Context;
use super::import::NOTICED;
use crate::failure::Failure;

/// Lays one record over what is stored, which must be there, and waits until running instances
/// have noticed.
pub(super) async fn change(context: &Context, record: Record) -> Result<(), Failure> {
    let installation = context.working()?;
    let db = installation.open_current().await?;
    let known = match &record {
        Record::Product(product) => export_product(&db, &product.slug).await?.is_some(),
        Record::Category(category) => export_categories(&db).await?.iter().any(|stored| stored.slug == category.slug),
    };
    let (noun, slug) = match &record {
        Record::Product(product) => ("product", product.slug.clone()),
        Record::Category(category) => ("category", category.slug.clone()),
    };
    if !known {
        return Err(Failure::operation(format!(
            "there is no {noun} `{slug}`; `stoa {noun} list` shows all, and `stoa import` makes new ones"
        )));
    }
    let mut writer = CatalogWriter::new(&db, &installation.program.registry, Mode::Write);
    let outcome = writer.write(std::slice::from_ref(&record)).await?.pop();
    match outcome {
        Some(Err(problems)) => {
            let lines = problems.iter().map(|problem| format!("{}: {}", problem.member, problem.reason));
            Err(Failure::operation(lines.collect::<Vec<_>>().join("\n")))
        }
        Some(Ok(Change::Created | Change::Updated)) => {
            tokio::time::sleep(NOTICED).await;
            Ok(())
        }
        Some(Ok(Change::Unchanged)) | None => Ok(()),
    }
}

/// Whether a product is among those that a term asks for.
pub(super) fn list_slugs_like(term: &str, slug: &str, name: Option<&String>) -> bool {
    let term = fold(term);
    fold(slug).contains(&term) || name.is_some_and(|name| fold(name).contains(&term))
}

/// An amount in minor units with its currency, for tables.
pub(super) fn currency_amount(amount: i64, currency: &str) -> String {
    match stoa_core::money::Currency::from_code(currency) {
        Ok(code) => format!("{} {currency}", stoa_core::money::format_decimal_amount(amount, code)),
        Err(_) => format!("{amount} {currency}"),
    }
}
