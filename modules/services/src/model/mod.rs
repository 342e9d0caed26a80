//! What the module keeps and shows.

mod number;
mod record;
mod resource;
mod settings;
mod status;

pub(crate) use number::ServiceNumber;
pub(crate) use record::{ProvisionedService, Since};
pub(crate) use resource::{OperatorView, ServiceResource};
pub(crate) use settings::{CAPABILITY, ServiceSettings, SoldPlan};
pub(crate) use status::{Action, OverReason, Status};
