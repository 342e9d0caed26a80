// An order, as for a customer who comes back from paying, or by the link of a mail.
import { isSettled, type Order, type OrderReference, ShopError } from "@stoa-shop/client";
import { addressBlock } from "../addresses.js";
import { h } from "../dom.js";
import { alert, formOf } from "../errors.js";
import { showCount } from "../frame.js";
import { named } from "../lines.js";
import { type Page, visit } from "../main.js";
import { pay } from "../pay.js";
import { day, money, shop } from "../shop.js";
import { sums } from "../sums.js";
import { t } from "../texts.js";

export async function orderPage(reference: OrderReference, signal: AbortSignal): Promise<Page> {
  const order = await shop.orders.get(reference, signal);
  const state = h("div", { class: "state", role: "status" }, ...stateOf(order, reference));
  if (!isSettled(order)) void follow(order, reference, state, signal);
  const items = order.items.map(({ label, slug, options, quantity, line_total_amount }) => {
    const amount = h("span", { class: "amount" }, money(line_total_amount, order.currency));
    return h("li", {}, h("span", { class: "count" }, `${quantity} ×`), named(label, slug, options), amount);
  });
  const { shipping_address, billing_address } = order;
  const isSent = shipping_address !== null;
  return {
    title: t.orderNumbered(order.number),
    content: [
      h("p", { class: "muted" }, [t.orderedOn(day(order.created_at)), order.invoice ? t.withInvoice(order.invoice.number) : ""].filter(Boolean).join(", ")),
      state,
      ...order.shipments.map(({ shipped_at, tracking }) => h("p", {}, [t.sentOn(day(shipped_at)), tracking ? t.tracking(tracking) : ""].filter(Boolean).join(", "))),
      h("ul", { class: "lines" }, ...items),
      h("div", { class: "placed" }, sums(order, { isSent, isKnown: true }), orderAgain(order)),
      ...withdrawalOf(order),
      h("div", { class: "addresses" }, addressBlock(t.billTo, billing_address), isSent ? addressBlock(t.sendTo, shipping_address) : undefined),
    ],
  };
}

/** Shows what becomes of the payment while the page is open. */
async function follow(order: Order, reference: OrderReference, state: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const settled = await shop.orders.settled(reference, { signal });
    if (isSettled(settled)) state.replaceChildren(...stateOf(settled, reference));
  } catch (error) {
    if (!signal.aborted) state.append(alert(error));
  }
}

function stateOf(order: Order, reference: OrderReference): Node[] {
  if (order.status === "paid") return [h("p", { class: "good" }, t.paidThanks)];
  if (order.status === "cancelled") return [h("p", {}, t.orderCancelled)];
  // There may be no page to pay on.
  const { begun } = (history.state ?? {}) as { begun?: boolean };
  const instructions = order.payment_instructions ?? (begun ? t.shopTells : null);
  const told = instructions === null ? undefined : h("p", { class: "told" }, instructions);
  const said = order.payment_status === "failed" ? t.paymentFailed : t.paymentIsAwaited;
  return [h("p", {}, said), told ?? action(t.pay, "", () => pay(order, reference))];
}

/** Puts the same into the cart, as far as it is still sold. */
function orderAgain({ items }: Order): HTMLElement {
  return action(t.orderAgain, "quiet", async () => {
    const missing: string[] = [];
    for (const { product_id, quantity, selections, label } of items) {
      // What a module has added, such as a fee, comes by itself.
      if (product_id === null) continue;
      try {
        showCount((await shop.cart.add({ product_id, quantity, selections })).item_count);
      } catch (error) {
        if (!(error instanceof ShopError) || error.isTemporary) throw error;
        missing.push(label);
      }
    }
    await visit("/cart", { said: missing.length > 0 ? t.notSoldLikeThis(missing.join(", ")) : undefined });
  });
}

/** A button whose errors stand before it. */
function action(label: string, look: string, act: () => Promise<void>): HTMLElement {
  return formOf([h("button", { class: look }, label)], act);
}

/** What was withdrawn, and the way to withdraw from what is left. */
function withdrawalOf({ number, items, withdrawal }: Order): (Node | undefined)[] {
  const withdrawn = withdrawal?.lines.filter(({ withdrawn_quantity }) => withdrawn_quantity > 0) ?? [];
  const label = (id: number) => items.find((item) => item.id === id)?.label ?? "";
  const told = withdrawn.map(({ item_id, withdrawn_quantity }) => `${withdrawn_quantity} × ${label(item_id)}`).join(", ");
  const address = `/withdrawal?${new URLSearchParams({ order_number: number })}`;
  return [
    told ? h("p", {}, t.withdrawn(told)) : undefined,
    withdrawal?.possible ? h("p", {}, h("a", { href: address }, t.withdrawFromOrder)) : undefined,
  ];
}
