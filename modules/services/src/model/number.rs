//! What people call a service.

use stoa_core::record_number::{NumberedRecord, RecordNumber};

/// The number of a service, made from its id: `SV-000042`.
pub(crate) type ServiceNumber = RecordNumber<NumberedService>;

/// The records with a [`ServiceNumber`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NumberedService;

impl NumberedRecord for NumberedService {
    const PREFIX: &'static str = "SV-";
    const NOUN: &'static str = "service";
}
