// What one gets, as a cart, a checkout and an order list it.
import type { CartLine, SelectedOption } from "@stoa-shop/client";
import { h } from "./dom.js";
import { detailList } from "./facts.js";
import { picture } from "./pictures.js";
import { money } from "./shop.js";
import { t } from "./texts.js";

/** A product with what was selected: a link to it, unless it is none any more. */
export function named(label: string, slug: string | null, options: SelectedOption[], ...more: (Node | undefined)[]): HTMLElement {
  const name = slug === null ? h("span", {}, label) : h("a", { href: `/products/${encodeURIComponent(slug)}` }, label);
  const selected = options.map((option) => h("li", {}, `${option.label}: ${option.display}`));
  return h("div", { class: "named" }, name, selected.length > 0 ? h("ul", { class: "muted" }, ...selected) : undefined, ...more);
}

/** A line of the cart. `controls` stand between what it is and what it costs. */
export function cartLine(line: CartLine, ...controls: (Node | undefined)[]): HTMLElement {
  const each = line.available && line.quantity > 1 ? h("p", { class: "muted" }, t.each(money(line.unit_amount, line.currency))) : undefined;
  const left = line.available && line.available_quantity !== null ? h("p", {}, t.onlyLeft(line.available_quantity)) : undefined;
  return h(
    "li",
    {},
    picture(line.image, "5rem"),
    named(line.label, line.slug, line.options, detailList(line.details, line.currency), each, left),
    ...controls,
    h("span", { class: "amount" }, line.available ? money(line.line_total_amount, line.currency) : t.notBuyable),
  );
}
