// Who somebody is here, and what they have ordered.
import type { Order } from "@stoa-shop/client";
import { h, pager } from "../dom.js";
import { buyer, loginForm, registrationForm } from "../login.js";
import { type Page, refresh } from "../main.js";
import { orderAddress } from "../pay.js";
import { day, money, shop } from "../shop.js";
import { t } from "../texts.js";

export async function accountPage(query: URLSearchParams): Promise<Page> {
  const account = await shop.account();
  const orders = account && (await shop.orders.list(Number(query.get("page") ?? 1)));
  const doors = h(
    "div",
    { class: "doors" },
    h("section", {}, h("h2", {}, t.logIn), loginForm(refresh)),
    h("section", {}, h("h2", {}, t.newHere), registrationForm(refresh)),
  );
  if (!account || !orders) return { title: t.account, content: [doors] };
  const list =
    orders.data.length > 0
      ? h("ul", { class: "orders" }, ...orders.data.map(row))
      : h("p", {}, `${t.nothingOrdered} `, h("a", { href: "/" }, t.findSomething));
  const { current_page, last_page } = orders.meta;
  const who = buyer(account.guest ? t.hereAsGuest : t.loggedInAs, account);
  const content = [who, h("h2", {}, t.orders), list, pager(current_page, last_page, (page) => `/account?page=${page}`)];
  // A guest is remembered for some hours only.
  return { title: t.account, content: account.guest ? [...content, doors] : content };
}

const STATES: Record<Order["status"], string> = { pending: t.notPaid, paid: t.paid, cancelled: t.cancelled };

function row(order: Order): HTMLElement {
  const what = order.items.map(({ quantity, label }) => (quantity > 1 ? `${quantity} × ${label}` : label)).join(", ");
  return h(
    "li",
    {},
    h("div", { class: "named" }, h("a", { href: orderAddress(order.id) }, order.number), h("p", { class: "muted" }, what)),
    h("span", {}, day(order.created_at)),
    h("span", {}, STATES[order.status]),
    h("span", { class: "amount" }, money(order.total_amount, order.currency)),
  );
}
