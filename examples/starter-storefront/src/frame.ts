// What stands around every page: search, categories, how much is in the cart, and the language.
import { h } from "./dom.js";
import { shop } from "./shop.js";
import { LANGUAGES, language, speak, t } from "./texts.js";

/** Says what stands in `index.html` in the language of these pages, and offers the others. */
export function showTexts(): void {
  const said = (key: string | undefined) => t[key as keyof typeof t] as string;
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) element.textContent = said(element.dataset.text);
  for (const element of document.querySelectorAll<HTMLElement>("[data-label]")) element.ariaLabel = said(element.dataset.label);
  document.querySelector<HTMLInputElement>("input[name=q]")!.placeholder = t.searchProducts;
  const options = Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code, selected: code === language }, name));
  const select = h("select", { onchange: () => speak(select.value) }, ...options);
  document.querySelector("footer")!.append(h("label", {}, h("span", {}, t.language), select));
}

/** Shows in the header how much is in the cart. */
export function showCount(count: number): void {
  document.querySelector("#count")!.textContent = count > 0 ? `(${count})` : "";
}

export async function showCategories(): Promise<void> {
  const links = (await shop.catalog.categories()).map(({ slug, name }) => h("a", { href: `/?${new URLSearchParams({ category: slug })}` }, name));
  document.querySelector("#categories")!.replaceChildren(...links);
  followAddress();
}

/** Makes the search box and the marked link say what the address says, also after Back. */
export function followAddress(): void {
  const query = location.pathname === "/" ? new URLSearchParams(location.search) : new URLSearchParams();
  document.querySelector<HTMLInputElement>("input[name=q]")!.value = query.get("q") ?? "";
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header a")) {
    const linked = new URL(link.href);
    const category = linked.searchParams.get("category");
    const isHere = category ? category === query.get("category") : linked.pathname !== "/" && linked.pathname === location.pathname;
    link.ariaCurrent = isHere ? "page" : null;
  }
}
