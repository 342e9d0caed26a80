// What stands around every page: search, categories, and how much is in the cart.
import { h } from "./dom.js";
import { shop } from "./shop.js";

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
