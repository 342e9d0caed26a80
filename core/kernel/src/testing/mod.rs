//! What tests of every storey need.

mod left_out;
mod real_exports;

pub use left_out::leave_out;
pub use real_exports::real_export;
