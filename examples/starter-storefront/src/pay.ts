// Leads a customer to where they pay.
import type { Order, OrderReference } from "@stoa-shop/client";
import { visit } from "./main.js";
import { shop } from "./shop.js";

/** The page of an order: that of its customer, or the one of a link in a mail. */
export function orderAddress(order: OrderReference): string {
  return typeof order === "number" ? `/orders/${order}` : `/order/${encodeURIComponent(order.number)}?${new URLSearchParams({ key: order.key })}`;
}

/** Begins to pay, and goes to the provider's page; without one, to the order, with what to do instead. */
export async function pay(order: Order, reference: OrderReference = order.id): Promise<void> {
  const page = orderAddress(reference);
  const address = location.origin + page;
  const attempt = await shop.orders.pay(reference, { gateway: order.payment_method, return_url: address, cancel_url: address });
  if (attempt.redirect_url) location.assign(attempt.redirect_url);
  else await visit(page, { state: { begun: true } });
}
