// All products, or those that somebody searches for.
import type { Product } from "@stoa-shop/client";
import { h } from "../dom.js";
import type { Page } from "../main.js";
import { shop } from "../shop.js";

export async function productsPage(query: URLSearchParams): Promise<Page> {
  const words = query.get("q")?.trim() ?? "";
  const { data, meta } = await shop.catalog.browse({ q: words || undefined, page: Number(query.get("page") ?? 1) });
  const title = words ? `Products for “${words}”` : "Products";
  const found = data.length > 0 ? h("ul", { class: "products" }, ...data.map(card)) : h("p", {}, "Nothing was found.");
  return { title, content: [found, pages(words, meta.current_page, meta.last_page)] };
}

type Listed = Pick<Product, "slug" | "name" | "subtitle" | "images" | "price">;

function card(product: Listed): HTMLElement {
  return h(
    "li",
    {},
    h("a", { href: `/products/${encodeURIComponent(product.slug)}` }, picture(product, 320), h("strong", {}, product.name)),
    h("span", { class: "muted" }, product.subtitle ?? ""),
    h("span", {}, product.price.formatted),
  );
}

/** The first picture, in a width that the shop makes. The name stands beside it. */
export function picture(product: Pick<Product, "images">, width: number): HTMLElement {
  const [source] = product.images;
  return source ? h("img", { src: `${source}?w=${width}`, alt: "", loading: "lazy", width, height: width }) : h("span", { class: "no-picture" });
}

function pages(words: string, current: number, last: number): HTMLElement {
  const link = (page: number, label: string) =>
    page >= 1 && page <= last ? h("a", { href: `/?${new URLSearchParams({ ...(words && { q: words }), page: String(page) })}` }, label) : undefined;
  return h("nav", { "aria-label": "Pages" }, link(current - 1, "Back"), last > 1 ? `Page ${current} of ${last}` : undefined, link(current + 1, "More"));
}
