//! Reports for the operator: tax, sales, and the return for consumers abroad (C10.4). All are added up from what documents say
//! of tax, so they agree with the books to the cent: invoices, less credit notes, less invoices that became void.

mod books;
mod oss;
mod oversight;
mod period;
mod products;
mod queries;
mod recent;
mod revenue;
mod rows;
mod sales;
mod tax;
mod unpaid;

#[cfg(test)]
mod tests;

pub use oss::{OssError, OssRow, oss_report};
pub use period::{NotAQuarter, Period, PeriodError, Quarter};
pub use products::{ProductSalesRow, SoldKind, product_sales_report};
pub use recent::RecentRevenue;
pub use revenue::{RevenueRow, no_finer_than, revenue_report};
pub use rows::{ReportCsvError, ReportRow, report_csv, written_rate};
pub use sales::{SalesBy, SalesRow, sales_report};
pub use tax::{TaxRow, tax_report};
pub use unpaid::{Unpaid, unpaid_orders};

use stoa_kernel::module::ModuleContext;

/// What must hold of the books.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
}
