//! The states of a credit note (contract 2.3).

use stoa_kernel::states;

states! {
    /// What has become of a credit note.
    CreditNoteStatus, "status of a credit note":
    /// It holds.
    Issued = "issued",
}
