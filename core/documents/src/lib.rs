//! Documents that customers and tax offices keep: invoices and credit notes as PDF, and as electronic invoices.

pub mod electronic;
pub mod pdf;

stoa_kernel::texts!("texts");
