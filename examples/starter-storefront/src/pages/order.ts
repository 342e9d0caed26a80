// An order, as for a customer who comes back from paying.
import { isSettled, type Order } from "@stoa-shop/client";
import { h } from "../dom.js";
import { alert, submitting } from "../errors.js";
import type { Page } from "../main.js";
import { pay } from "../pay.js";
import { money, shop } from "../shop.js";

export async function orderPage(id: string, signal: AbortSignal): Promise<Page> {
  const order = await shop.orders.get(Number(id), signal);
  const state = h("div", { role: "status" }, ...stateOf(order));
  if (!isSettled(order)) void follow(order, state, signal);
  const items = order.items.map((item) => {
    const options = item.options.map(({ display }) => display).join(", ");
    return h("li", {}, `${item.quantity} × ${item.label}`, h("span", { class: "muted" }, options), h("span", {}, money(item.line_total_amount, order.currency)));
  });
  const total = h("p", { class: "price" }, "Total ", order.total_formatted);
  return { title: `Order ${order.number}`, content: [state, h("ul", { class: "lines" }, ...items), total] };
}

/** Shows what becomes of the payment while the page is open. */
async function follow(order: Order, state: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const settled = await shop.orders.settled(order.id, { signal });
    if (isSettled(settled)) state.replaceChildren(...stateOf(settled));
  } catch (error) {
    if (!signal.aborted) state.append(alert(error));
  }
}

function stateOf(order: Order): Node[] {
  if (order.status === "paid") return [h("p", { class: "good" }, "Thank you. Your order is paid.")];
  if (order.status === "cancelled") return [h("p", {}, "This order was cancelled.")];
  // There is no page to pay on.
  const { instructions } = (history.state ?? {}) as { instructions?: string | null };
  const told = instructions === undefined ? undefined : h("p", {}, instructions ?? "The shop will tell you how to pay.");
  const form = h(
    "form",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        void submitting(form, () => pay(order, order.payment_method));
      },
    },
    h("button", {}, "Pay"),
  );
  const said = order.payment_status === "failed" ? "That payment did not work. You can pay again." : "We are waiting for your payment.";
  return [h("p", {}, said), ...(told ? [told] : [form])];
}
