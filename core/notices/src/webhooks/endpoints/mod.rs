//! The endpoints that events are sent to: added, listed and changed by the operator.

mod change;
mod configured;
mod model;
mod queries;

pub(super) use change::subject;
pub use change::{
    ChangeError, EndpointChange, MAX_OVERLAP_HOURS, NewEndpoint, RotatedSecret, add_endpoint, change_endpoint,
    check_destination, remove_endpoint, rotate_secret, set_endpoint_enabled, subscribed,
};
pub use configured::take_over;
pub use model::{Endpoint, find_endpoint, list_endpoints, secrets_of};
pub(super) use queries::PRUNE;
