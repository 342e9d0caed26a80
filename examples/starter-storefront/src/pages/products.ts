// All products, those of a category, or those that somebody searches for.
import type { BrowsePage, Product } from "@stoa-shop/client";
import { h, pager } from "../dom.js";
import { besidePrice } from "../facts.js";
import { type Page, visit } from "../main.js";
import { picture } from "../pictures.js";
import { money, shop } from "../shop.js";
import { t } from "../texts.js";

const SORTED: Record<string, string> = { "": t.sortedByName, newest: t.newest, price: t.lowestFirst, "-price": t.highestFirst };

export async function productsPage(query: URLSearchParams): Promise<Page> {
  const asked = Object.fromEntries([...query].map(([name, value]) => [name, value.trim()] as const).filter(([, value]) => value));
  const [{ data, meta }, categories] = await Promise.all([shop.catalog.browse({ ...asked, page: Number(asked.page ?? 1) }), shop.catalog.categories()]);
  const category = categories.flatMap((parent) => [parent, ...parent.children]).find(({ slug }) => slug === asked.category);
  const title = asked.q ? t.productsFor(asked.q) : (category?.name ?? t.products);
  const below = categories.find(({ slug }) => slug === asked.category)?.children ?? [];
  const found =
    data.length > 0
      ? h("ul", { class: "products" }, ...data.map(card))
      : h("p", {}, `${t.nothingFound} `, h("a", { href: "/" }, t.seeAllProducts));
  const address = (page: number) => `/?${new URLSearchParams({ ...asked, page: String(page) })}`;
  const narrower = below.map(({ slug, name }) => h("a", { class: "button quiet", href: `/?${new URLSearchParams({ category: slug })}` }, name));
  return {
    title,
    content: [
      narrower.length > 0 ? h("nav", { class: "pager", "aria-label": title }, ...narrower) : undefined,
      choices(asked, meta),
      found,
      pager(meta.current_page, meta.last_page, address),
    ],
  };
}

/** How products are sorted, and, within a category or a search, which are left. What is chosen stands in the address. */
function choices(asked: Record<string, string>, { facets, total }: BrowsePage["meta"]): HTMLElement {
  const select = (name: string, label: string, values: [string, string][]) => {
    const options = values.map(([value, text]) => h("option", { value, selected: (asked[name] ?? "") === value }, text));
    return h("label", {}, h("span", {}, label), h("select", { name }, ...options));
  };
  const offered = asked.q || asked.category ? facets : [];
  const filters = offered.map(({ parameter, key, label, values }) =>
    select(parameter, label ?? key, [["", t.all], ...values.map(({ value, label: text, count }) => [value, `${text} (${count})`] as [string, string])]),
  );
  const open = offered.some(({ parameter }) => asked[parameter]);
  const form: HTMLFormElement = h(
    "form",
    {
      class: "choices",
      onchange: () => {
        const kept = [...new FormData(form)].map(([name, value]) => [name, String(value)] as [string, string]).filter(([, value]) => value);
        const { q, category } = asked;
        void visit(`/?${new URLSearchParams([...Object.entries({ q, category }).filter((pair): pair is [string, string] => !!pair[1]), ...kept])}`);
      },
    },
    h("span", { class: "muted", role: "status" }, t.productsFound(total)),
    select("sort", t.sortedBy, Object.entries(SORTED)),
    filters.length > 0 ? h("details", { open }, h("summary", {}, t.filter), h("div", { class: "choices" }, ...filters)) : undefined,
  );
  return form;
}

function card(product: Product): HTMLElement {
  const image = picture(product.images[0], "(min-width: 70rem) 16rem, (min-width: 40rem) 30vw, 45vw");
  return h(
    "li",
    {},
    h("a", { href: `/products/${encodeURIComponent(product.slug)}` }, image, h("strong", {}, product.name)),
    h("span", { class: "muted" }, product.subtitle ?? ""),
    h("span", { class: "amount" }, product.availability === "out_of_stock" ? t.soldOut : money(product.price.amount, product.price.currency)),
    ...besidePrice(product),
  );
}
