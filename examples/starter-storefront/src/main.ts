// Which page an address shows.
import { ShopError } from "@stoa-shop/client";
import { h } from "./dom.js";
import { alert } from "./errors.js";
import { followAddress, showCategories, showCount, showTexts } from "./frame.js";
import { loginForm } from "./login.js";
import { accountPage } from "./pages/account.js";
import { cartPage } from "./pages/cart.js";
import { checkoutPage } from "./pages/checkout.js";
import { orderPage } from "./pages/order.js";
import { productPage } from "./pages/product.js";
import { productsPage } from "./pages/products.js";
import { withdrawalPage } from "./pages/withdrawal.js";
import { shop } from "./shop.js";
import { t } from "./texts.js";

/** What a page shows; or the address of the page that is shown instead. `signal` says when it has been left. */
export interface Page {
  title: string;
  content: (Node | undefined)[];
  instead?: string;
}

const query = () => new URLSearchParams(location.search);

const routes: [RegExp, (part: string, signal: AbortSignal) => Promise<Page>][] = [
  [/^\/$/, () => productsPage(query())],
  [/^\/products\/([^/]+)$/, productPage],
  [/^\/cart$/, cartPage],
  [/^\/checkout$/, (_, signal) => checkoutPage(signal)],
  [/^\/orders\/(\d+)$/, (id, signal) => orderPage(Number(id), signal)],
  // Mails about orders link here.
  [/^\/order\/([^/]+)$/, (number, signal) => orderPage({ number, key: query().get("key") ?? "" }, signal)],
  [/^\/account$/, () => accountPage(query())],
  [/^\/withdrawal$/, () => withdrawalPage(query())],
];

const main = document.querySelector<HTMLElement>("#page")!;
let shown = new AbortController();
let address = "";

async function show(): Promise<void> {
  shown.abort();
  const { signal } = (shown = new AbortController());
  address = location.pathname + location.search;
  followAddress();
  main.ariaBusy = "true";
  const page = await load(signal);
  if (signal.aborted) return;
  if (page.instead) return visit(page.instead, { replace: true });
  main.ariaBusy = "false";
  document.title = `${page.title} – Starter storefront`;
  main.replaceChildren(h("h1", {}, page.title), ...page.content.filter((node) => node !== undefined));
}

async function load(signal: AbortSignal): Promise<Page> {
  const nothing = { title: t.nothingHere, content: [h("p", {}, h("a", { class: "button", href: "/" }, t.allProducts))] };
  for (const [route, page] of routes) {
    const match = route.exec(location.pathname);
    if (!match) continue;
    try {
      return await page(decodeURIComponent(match[1] ?? ""), signal);
    } catch (error) {
      const status = error instanceof ShopError ? error.status : undefined;
      if (signal.aborted || status === 404) return nothing;
      if (status === 401) {
        return { title: t.pleaseLogIn, content: [h("p", {}, t.ownersOnly), loginForm(show)] };
      }
      return { title: t.failed, content: [alert(error), h("button", { onclick: () => void show() }, t.tryAgain)] };
    }
  }
  return nothing;
}

/** Goes to another page of this storefront. `said` stands below its heading. */
export async function visit(to: string, { state = null, replace = false, said }: { state?: object | null; replace?: boolean; said?: string } = {}): Promise<void> {
  keepScroll();
  const isSame = new URL(to, location.href).href === location.href;
  history[replace || isSame ? "replaceState" : "pushState"](state, "", to);
  await show();
  if (said) main.querySelector("h1")!.after(h("p", { class: "alert", role: "alert" }, said));
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Shows this page anew, such as after a login. */
export const refresh = show;

// Pages come after their data, too late for a browser to scroll where somebody was. So the place is kept with the address.
history.scrollRestoration = "manual";
let scrolled: ReturnType<typeof setTimeout> | undefined;
function keepScroll(): void {
  clearTimeout(scrolled);
  history.replaceState({ ...history.state, scroll: scrollY }, "");
}
addEventListener("scroll", () => {
  clearTimeout(scrolled);
  scrolled = setTimeout(keepScroll, 100);
});
async function showWhereItWas(): Promise<void> {
  clearTimeout(scrolled);
  const { scroll = 0 } = (history.state ?? {}) as { scroll?: number };
  await show();
  scrollTo(0, scroll);
}
addEventListener("popstate", () => {
  // A link within the page changes its end only.
  if (location.pathname + location.search !== address) void showWhereItWas();
});

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
  // Other windows, downloads, places in the page, and everything that is no page of these: that is for the browser.
  if (!link || link.target || link.hasAttribute("download") || link.hash || link.origin !== location.origin) return;
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!routes.some(([route]) => route.test(link.pathname))) return;
  event.preventDefault();
  void visit(link.pathname + link.search);
});
document.querySelector("form")!.addEventListener("submit", (event) => {
  event.preventDefault();
  const words = String(new FormData(event.target as HTMLFormElement).get("q")).trim();
  void visit(words ? `/?${new URLSearchParams({ q: words })}` : "/");
});
showTexts();
void showWhereItWas();
// The page is of use without them.
showCategories().catch(() => undefined);
shop.cart.get().then(({ item_count }) => showCount(item_count), () => undefined);
