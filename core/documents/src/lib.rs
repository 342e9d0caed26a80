//! Documents that customers and tax offices keep: invoices and credit notes as PDF.

pub mod pdf;

stoa_kernel::texts!("texts");
