// What is in the cart.
import type { Cart, CartLine } from "@stoa-shop/client";
import { h, input } from "../dom.js";
import { submitting } from "../errors.js";
import { showCount } from "../frame.js";
import { cartLine } from "../lines.js";
import type { Page } from "../main.js";
import { orderAddress } from "../pay.js";
import { money, shop } from "../shop.js";
import { t } from "../texts.js";

export async function cartPage(): Promise<Page> {
  const cart = await shop.cart.get();
  // An order may have taken what was in it, although its answer got lost on the way.
  const lost = cart.lines.length === 0 ? await shop.checkout.recover() : undefined;
  const content = h("div");
  show(content, cart);
  return { title: t.cart, content: [content], instead: lost && orderAddress(lost.id) };
}

function show(content: HTMLElement, cart: Cart): void {
  showCount(cart.item_count);
  if (cart.lines.length === 0) {
    content.replaceChildren(h("p", {}, t.cartIsEmpty), h("p", {}, h("a", { class: "button", href: "/" }, t.findSomething)));
    return;
  }
  const isBlocked = cart.lines.some(({ available }) => !available);
  content.replaceChildren(
    h("ul", { class: "lines" }, ...cart.lines.map((line) => cartLine(line, controls(content, line)))),
    h("p", { class: "subtotal" }, `${t.subtotal} `, h("strong", {}, money(cart.subtotal_amount, cart.currency))),
    isBlocked
      ? h("p", { class: "alert", role: "alert" }, t.removeFirst)
      : h("p", { class: "onward" }, h("a", { href: "/" }, t.goOnShopping), h("a", { class: "button", href: "/checkout" }, t.atCheckout)),
  );
}

/** How many are wanted, and a way to want none. Whoever uses it by keys stays where they were. */
function controls(content: HTMLElement, { line_key, quantity, label }: CartLine): HTMLElement {
  const count = input("quantity", { id: line_key, type: "number", min: 1, max: 99, value: quantity, "aria-label": t.quantityOf(label) });
  const change = (act: () => Promise<Cart>) =>
    void submitting(form, async () => {
      show(content, await act());
      (document.getElementById(line_key) ?? document.querySelector<HTMLElement>("#page"))?.focus();
    });
  const form = h(
    "form",
    {
      class: "field quantity",
      onsubmit: (event: Event) => event.preventDefault(),
      onchange: () => count.reportValidity() && change(() => shop.cart.setQuantity(line_key, count.valueAsNumber)),
    },
    count,
    h("button", { type: "button", class: "link", "aria-label": t.removeOf(label), onclick: () => change(() => shop.cart.remove(line_key)) }, t.remove),
  );
  return form;
}
