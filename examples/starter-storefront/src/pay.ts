// Leads a customer to where they pay.
import type { Order } from "@stoa-shop/client";
import { visit } from "./main.js";
import { shop } from "./shop.js";

/** Begins to pay, and goes to the provider's page; without one, to the order, with what to do instead. */
export async function pay(order: Order, gateway: string): Promise<void> {
  const page = `/orders/${order.id}`;
  const address = location.origin + page;
  const attempt = await shop.orders.pay(order.id, { gateway, return_url: address, cancel_url: address });
  if (attempt.redirect_url) location.assign(attempt.redirect_url);
  else await visit(page, { instructions: attempt.instructions });
}
