// Which page an address shows.
import { h } from "./dom.js";
import { alert } from "./errors.js";
import { cartPage } from "./pages/cart.js";
import { checkoutPage } from "./pages/checkout.js";
import { orderPage } from "./pages/order.js";
import { productPage } from "./pages/product.js";
import { productsPage } from "./pages/products.js";
import { shop, showCount } from "./shop.js";

/** What a page shows; `signal` says when it has been left. */
export interface Page {
  title: string;
  content: Node[];
}

const routes: [RegExp, (part: string, signal: AbortSignal) => Promise<Page>][] = [
  [/^\/$/, () => productsPage(new URLSearchParams(location.search))],
  [/^\/products\/([^/]+)$/, productPage],
  [/^\/cart$/, cartPage],
  [/^\/checkout$/, checkoutPage],
  [/^\/orders\/(\d+)$/, orderPage],
];

const main = document.querySelector<HTMLElement>("#page")!;
let shown = new AbortController();

async function show(): Promise<void> {
  shown.abort();
  const { signal } = (shown = new AbortController());
  main.ariaBusy = "true";
  const page = await load(signal);
  if (signal.aborted) return;
  main.ariaBusy = "false";
  document.title = `${page.title} – Starter storefront`;
  main.replaceChildren(h("h1", {}, page.title), ...page.content);
}

async function load(signal: AbortSignal): Promise<Page> {
  for (const [route, page] of routes) {
    const match = route.exec(location.pathname);
    if (!match) continue;
    try {
      return await page(decodeURIComponent(match[1] ?? ""), signal);
    } catch (error) {
      if (signal.aborted) break;
      return { title: "That did not work", content: [alert(error), h("button", { onclick: () => void show() }, "Try again")] };
    }
  }
  return { title: "There is nothing here", content: [h("p", {}, h("a", { href: "/" }, "All products"))] };
}

/** Goes to another page of this storefront. */
export async function visit(address: string, state: unknown = null): Promise<void> {
  history.pushState(state, "", address);
  await show();
  main.focus();
  scrollTo(0, 0);
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href^='/']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void visit(link.getAttribute("href")!);
});
document.querySelector("form")!.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = String(new FormData(event.target as HTMLFormElement).get("q"));
  void visit(`/?${new URLSearchParams({ q: words })}`);
});
addEventListener("popstate", () => void show());
void show();
shop.cart.get().then(({ item_count }) => showCount(item_count), () => undefined);
