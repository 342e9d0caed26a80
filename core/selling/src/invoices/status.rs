//! The states of an invoice (contract 2.3).

use stoa_kernel::states;

states! {
    /// What has become of an invoice: `issued` becomes `paid` or `void`, and nothing leaves those.
    InvoiceStatus, "status of an invoice":
    /// It is to be paid.
    Issued = "issued",
    /// Its order is paid, or costs nothing.
    Paid = "paid",
    /// Its order was cancelled before it was paid.
    Void = "void",
}
