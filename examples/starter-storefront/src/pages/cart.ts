// What is in the cart.
import type { Cart, CartLine } from "@stoa-shop/client";
import { h } from "../dom.js";
import { submitting } from "../errors.js";
import { type Page, visit } from "../main.js";
import { money, shop, showCount } from "../shop.js";

export async function cartPage(): Promise<Page> {
  const cart = await shop.cart.get();
  showCount(cart.item_count);
  if (cart.lines.length === 0) return { title: "Cart", content: [h("p", {}, "It is empty. ", h("a", { href: "/" }, "Find something"))] };
  const blocked = cart.lines.some(({ available }) => !available);
  return {
    title: "Cart",
    content: [
      h("ul", { class: "lines" }, ...cart.lines.map(line)),
      h("p", { class: "price" }, "Subtotal ", cart.subtotal_formatted),
      blocked
        ? h("p", { class: "alert", role: "alert" }, "Remove what cannot be bought any more, then order the rest.")
        : h("p", {}, h("a", { class: "button", href: "/checkout" }, "Checkout")),
    ],
  };
}

function line(item: CartLine): HTMLElement {
  const options = item.options.map(({ label, display }) => `${label}: ${display}`).join(", ");
  const quantity = h("input", { type: "number", name: "quantity", min: 1, max: 99, value: item.quantity, "aria-label": `Quantity of ${item.label}` });
  const change = (act: () => Promise<Cart>) =>
    void submitting(form, async () => {
      await act();
      await visit("/cart");
    });
  const form = h(
    "form",
    { class: "field", onsubmit: (event: Event) => event.preventDefault(), onchange: () => change(() => shop.cart.setQuantity(item.line_key, quantity.valueAsNumber)) },
    quantity,
    h("button", { type: "button", class: "quiet", onclick: () => change(() => shop.cart.remove(item.line_key)) }, "Remove"),
  );
  return h(
    "li",
    {},
    h("div", {}, h("a", { href: `/products/${encodeURIComponent(item.slug)}` }, item.label), h("p", { class: "muted" }, options)),
    form,
    h("span", {}, item.available ? money(item.line_total_amount, item.currency) : "Cannot be bought any more"),
  );
}
