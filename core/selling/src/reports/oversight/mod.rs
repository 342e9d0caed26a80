//! What must hold of the books: they say what the documents do, so reports add up to them.

mod queries;

use stoa_kernel::invariant::Invariant;

/// What `stoa verify` holds the books to.
pub(super) const INVARIANTS: [Invariant; 2] = [
    Invariant::new(
        "tax_entries",
        "what reports are added up from is what invoices and credit notes say, by document",
        queries::UNLIKE_THEIR_DOCUMENTS,
    ),
    Invariant::new(
        "tax_of_products",
        "what was sold and refunded comes to what is booked, by document and rate",
        queries::UNLIKE_THEIR_LINES,
    ),
];
