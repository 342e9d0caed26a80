// What is in the cart.
import type { Cart, CartLine } from "@stoa-shop/client";
import { h } from "../dom.js";
import { submitting } from "../errors.js";
import { showCount } from "../frame.js";
import { cartLine } from "../lines.js";
import type { Page } from "../main.js";
import { orderAddress } from "../pay.js";
import { shop } from "../shop.js";

export async function cartPage(): Promise<Page> {
  const cart = await shop.cart.get();
  showCount(cart.item_count);
  if (cart.lines.length === 0) return emptyPage("Cart");
  const content = h("div");
  show(content, cart);
  return { title: "Cart", content: [content] };
}

/** Where the cart is empty: the order that took what was in it, if the answer to that got lost on its way. */
export async function emptyPage(title: string): Promise<Page> {
  const order = await shop.checkout.recover();
  return { title, content: empty(), instead: order && orderAddress(order.id) };
}

function empty(): HTMLElement[] {
  return [h("p", {}, "It is empty."), h("p", {}, h("a", { class: "button", href: "/" }, "Find something"))];
}

function show(content: HTMLElement, cart: Cart): void {
  showCount(cart.item_count);
  if (cart.lines.length === 0) return content.replaceChildren(...empty());
  const isBlocked = cart.lines.some(({ available }) => !available);
  content.replaceChildren(
    h("ul", { class: "lines" }, ...cart.lines.map((line) => cartLine(line, controls(content, line)))),
    h("p", { class: "subtotal" }, "Subtotal ", h("strong", {}, cart.subtotal_formatted)),
    isBlocked
      ? h("p", { class: "alert", role: "alert" }, "Remove what cannot be bought any more, then order the rest.")
      : h("p", { class: "onward" }, h("a", { href: "/" }, "Go on shopping"), h("a", { class: "button", href: "/checkout" }, "Checkout")),
  );
}

/** How many are wanted, and a way to want none. Whoever uses it by keys stays where they were. */
function controls(content: HTMLElement, { line_key, quantity, label }: CartLine): HTMLElement {
  const count = h("input", { type: "number", name: "quantity", min: 1, max: 99, required: true, value: quantity, id: line_key, "aria-label": `Quantity of ${label}` });
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
    h("button", { type: "button", class: "link", "aria-label": `Remove ${label}`, onclick: () => change(() => shop.cart.remove(line_key)) }, "Remove"),
  );
  return form;
}
