//! The endpoints that events are sent to: added, listed and changed by the operator.

mod change;
mod configured;
mod model;
mod queries;

pub use change::{
    ChangeError, NewEndpoint, RotatedSecret, add_endpoint, check_destination, remove_endpoint, rotate_secret,
    set_endpoint_enabled,
};
pub use configured::take_over;
pub use model::{Endpoint, find_endpoint, list_endpoints, secrets_of};
pub(super) use queries::PRUNE;
