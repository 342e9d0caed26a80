//! Orders: what was sold, to whom, and what became of it (contract 2.3).

mod attention;
mod cancel;
mod change;
mod earlier;
mod events;
mod expire;
mod history;
mod idle_guests;
mod insert;
mod instructions;
mod linked;
mod model;
mod new;
mod oversight;
mod personal;
mod queries;
mod read;
mod routes;
mod search;
mod ship;
mod sold;
mod status;
mod vat_id;

pub use crate::cart::SelectedOption;
pub use attention::{
    MAX_NOTE, OrderAttempt, OrderDetails, OrderFilter, OrderRefund, Reviewed, count_orders_to_review, details_of,
    list_orders, note_on_order, review_order, stored_note,
};
pub use cancel::{CancelOrderError, CancelReason, cancel_order};
pub use events::{
    CancelledLine, OrderCancelled, OrderCancelling, OrderCreated, OrderLine, OrderPaid, OrderPlacing, OrderPreflight,
    OrderShipped, PlacedAddedLine, PlacedOrder, ShippedLine,
};
pub use history::{Actor, HistoryEntry, history_of};
pub use instructions::tell_instructions;
pub use model::{
    OrderAddedLine, OrderConsent, OrderCreditNote, OrderInvoice, OrderLineResource, OrderPayment, OrderResource,
    OrderTax, Shipment, ShippedLineResource,
};
pub use read::{OrderRecord, customer_of_order, find_order, load_orders};
pub use search::{OrderListed, OrderSearch, OrdersWaiting, count_orders, count_waiting_orders, search_orders};
pub use ship::{
    Carriage, MAX_TRACKING, ShipOrderError, ShipmentLine, carriers_of_shipments, ship_order, ship_order_with,
};
pub use sold::{delivered_lines, sold_lines, sold_lines_in};
pub use status::{FulfillmentStatus, OrderStatus};
pub use stoa_kernel::order_link::OrderLinks;
pub use stoa_kernel::record_number::{NumberedOrder, OrderNumber};
pub use vat_id::{VatIdCheck, VatIdStatus};

pub(crate) use change::{LockedOrder, emit_paid, flag_order, give_time, lock_order, mark_paid};
pub(crate) use earlier::{EarlierLine, EarlierOrder, find_earlier_item, find_earlier_order};
pub(crate) use events::subject_of;
pub(crate) use history::{record, record_two};
pub(crate) use insert::{ChosenShipping, NewOrder, NewOrderLine, insert_order};
pub(crate) use instructions::instructions_of;
pub(crate) use linked::find_linked_order;
pub(crate) use queries::units_to_send;
pub(crate) use read::find_own_order;
pub(crate) use routes::example_order;
pub(crate) use ship::refresh_fulfillment;
pub(crate) use vat_id::CheckedVatId;

use std::sync::Arc;

use stoa_customers::customers::{CustomerAnonymizing, CustomerExporting};
use stoa_customers::guests::GuestLoggedOut;
use stoa_kernel::config::Config;
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::money::MoneyFormatter;

use crate::withdrawals::is_on;
use expire::ExpireOrders;

/// The routes, listeners and the job of this feature.
pub(crate) fn register(
    cx: &mut ModuleContext<'_>,
    config: &Config,
    money: &Arc<MoneyFormatter>,
) -> Result<(), RegisterError> {
    cx.job(ExpireOrders);
    cx.job(idle_guests::ForgetGuests::default());
    cx.on_transaction::<GuestLoggedOut>("guests.forget-who-leaves", idle_guests::ForgetWhoLeaves::default());
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
    cx.examine_database("orders.review", oversight::OrdersToReview);
    cx.on_transaction::<CustomerAnonymizing>("orders.erase", personal::EraseNotes);
    cx.claims_from_guests("orders.claim", &[queries::CLAIM, queries::CLAIM_BOUGHT, queries::CLAIMED_BOUGHT]);
    cx.on_preflight::<CustomerExporting>(
        "orders.export",
        personal::ExportOrders { money: Arc::clone(money), tells_rights: is_on(config) },
    );
    cx.routes((), routes::order_routes())?;
    cx.routes((), linked::linked_order_routes())
}
