//! Orders: what was sold, to whom, and what became of it (contract 2.3).

mod cancel;
mod change;
mod events;
mod expire;
mod history;
mod insert;
mod model;
mod number;
mod queries;
mod read;
mod routes;
mod status;

pub use cancel::{CancelOrderError, CancelReason, cancel_order};
pub use events::{
    CancelledItem, OrderCancelled, OrderCancelling, OrderCreated, OrderLine, OrderPaid, OrderPlacing, OrderPreflight,
    OrderShipped, PlacedOrder, ShippedItem,
};
pub use history::{Actor, HistoryEntry, history_of};
pub use insert::SelectedOption;
pub use model::{OrderCreditNote, OrderInvoice, OrderItem, OrderPayment, OrderResource, Shipment, ShipmentItem};
pub use number::{NotAnOrder, OrderNumber};
pub use read::{OrderRecord, find_order, load_orders};
pub use status::{FulfillmentStatus, OrderStatus};

pub(crate) use change::{LockedOrder, flag_order, lock_order, mark_paid};
pub(crate) use expire::ExpireOrders;
pub(crate) use history::record;
pub(crate) use insert::{ChosenShipping, NewOrder, NewOrderItem, insert_order};
pub(crate) use read::{find_own_order, find_owner};
pub(crate) use routes::{example_order, order_routes};
pub(crate) use status::states;
