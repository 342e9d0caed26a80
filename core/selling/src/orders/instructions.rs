//! What customers are to do to pay an order where no page does it, such as whom to transfer the money to.

use stoa_kernel::gateways::GatewayTable;

use super::model::OrderResource;
use super::status::OrderStatus;

/// Says of each of these orders what its customer is to do to pay it.
pub fn tell_instructions<'a>(gateways: &GatewayTable, orders: impl IntoIterator<Item = &'a mut OrderResource>) {
    for order in orders {
        let (method, number, total) = (&order.payment_method, &order.number, &order.total_formatted);
        order.payment_instructions = instructions_of(gateways, order.status, method, number, total);
    }
}

/// The instructions for an order of this number and total that is to be paid by this method; none when nothing is to be done, or a page
/// does it.
pub(crate) fn instructions_of(
    gateways: &GatewayTable,
    status: OrderStatus,
    method: &str,
    number: &str,
    total: &str,
) -> Option<String> {
    let gateway = gateways.find(method).filter(|_| status == OrderStatus::Pending)?;
    gateway.instructions(number, total)
}
