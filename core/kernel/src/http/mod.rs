//! The HTTP side of the kernel: route table, guard, extractors, answers, errors and the document
//! that describes them all.

pub mod accept;
mod admission;
pub mod answer;
mod body;
mod came_from;
pub mod client_address;
mod compress;
pub mod conditions;
mod console_guard;
mod console_kept;
pub mod error;
mod error_code;
pub mod extract;
pub mod file;
mod foreign_origins;
pub mod form;
mod freeze;
mod front;
pub(crate) mod guard;
pub mod gzip;
mod kept_form;
pub mod openapi;
pub mod page;
mod range;
pub mod receive;
mod router;
pub mod rules;
pub mod shape;
pub mod shared_cache;
pub mod table;
mod watch;

pub use ::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
pub use client_address::PeerAddress;
pub use freeze::{FrozenRoutes, RouteProblem};
pub(crate) use front::carry_over;
pub use front::{FailureCause, Front};
pub use guard::{Authenticated, GuardState};
pub use range::RangeRequest;
pub use router::{SiteRoutes, router};
pub use table::API_BASE;
