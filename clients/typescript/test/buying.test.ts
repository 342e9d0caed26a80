import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount, isSettled, memoryStore, selectedPrice, Shop } from "@stoa-shop/client";
import { apron, billing, chosen, customer, refusal, url } from "./live.js";

test("a guest finds a product, orders it with options, pays and reads the order", async () => {
  const shop = new Shop({ url });
  const product = await shop.catalog.product("pottering-apron");
  assert.ok((await shop.catalog.search("apron")).some(({ id }) => id === product.id));
  const price = selectedPrice(product, apron.selections, "en");
  assert.deepEqual(price, { amount: 5200, currency: "EUR", formatted: "€52.00" });

  const cart = await shop.cart.add(apron);
  assert.equal(cart.subtotal_amount, 2 * price.amount);
  const account = await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  assert.equal(account.guest, true);
  const { order } = await chosen(shop);
  const placed = await shop.checkout.place(order);
  assert.equal(placed.total_amount, order.expected_total_amount);
  assert.deepEqual(placed.items[0]!.options.map(({ display }) => display), ["Sage", "Long, 100 cm"]);
  assert.equal((await shop.cart.get()).item_count, 0);

  const settled = await shop.orders.settled(placed.id, { every: 0.05 });
  assert.equal(settled.status, "paid");
  assert.ok((await shop.orders.list()).data.some(({ id }) => id === placed.id));

  const [invoice] = (await shop.operations.invoicesIndex()).data;
  const printed = await shop.orders.invoiceFile(invoice!.id);
  assert.equal(printed.type, "application/pdf");
  assert.equal(await printed.slice(0, 5).text(), "%PDF-");
  assert.equal((await refusal(shop.orders.invoiceFile(0))).code, "not_found");
});

test("facets are chosen by their names", async () => {
  const shop = new Shop({ url });
  const all = await shop.catalog.browse({ q: "apron", sort: "-price", available: "1" });
  const facet = all.meta.facets.find(({ parameter }) => parameter === "option.color")!;
  const one = await shop.catalog.browse({ q: "apron", [`option.${facet.key}`]: facet.values[0]!.value });
  assert.equal(one.meta.total, facet.values[0]!.count);
  // @ts-expect-error A word that is no parameter does not compile.
  await shop.catalog.browse({ color: "sage" });
});

test("an order that is not paid at once is begun to pay, and read until time is up", async () => {
  const shop = new Shop({ url });
  await shop.cart.add(apron);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  const { order } = await chosen(shop);
  const placed = await shop.checkout.place({ ...order, payment_method: "manual" });
  const pages = { return_url: `${url}/thanks`, cancel_url: `${url}/cart` };
  const attempt = await shop.orders.pay(placed.id, { gateway: "manual", ...pages });
  assert.equal(attempt.redirect_url, null);
  assert.equal(attempt.amount, placed.total_amount);
  const open = await shop.orders.settled(placed.id, { every: 0.05, within: 0.2 });
  assert.equal(isSettled(open), false);

  await shop.orders.pay(placed.id, { gateway: "development", ...pages });
  assert.equal((await shop.orders.settled(placed.id, { every: 0.05 })).payment_status, "paid");
  const again = await refusal(shop.orders.pay(placed.id, { gateway: "development", ...pages }));
  assert.deepEqual([again.status, again.reason], [409, "already_paid"]);
});

test("what was ordered is ordered again with the same choices", async () => {
  const shop = new Shop({ url });
  await shop.cart.add(apron);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  const { order } = await chosen(shop);
  const placed = await shop.checkout.place(order);
  for (const { product_id, quantity, selections } of placed.items) await shop.cart.add({ product_id: product_id!, quantity, selections });
  const [line] = (await shop.cart.get()).lines;
  assert.deepEqual([line!.product_id, line!.quantity, line!.selections], [apron.product_id, apron.quantity, apron.selections]);
});

test("an answer that has not changed since is told as such", async () => {
  const shop = new Shop({ url });
  const first = await fetch(`${url}/api/v1/products`);
  const error = await refusal(shop.operations.productsIndex({ headers: { "If-None-Match": first.headers.get("ETag")! } }));
  assert.deepEqual([error.status, error.code], [304, "not_modified"]);
});

test("whoever gives up waiting for an order hears nothing more of it", { timeout: 10_000 }, async () => {
  const shop = new Shop({ url });
  await shop.cart.add(apron);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  const { order } = await chosen(shop);
  const placed = await shop.checkout.place({ ...order, payment_method: "manual" });
  const waiting = shop.orders.settled(placed.id, { every: 60, within: 600, signal: AbortSignal.timeout(100) });
  await assert.rejects(waiting, { name: "TimeoutError" });
});

test("the cart of a guest becomes that of the customer who logs in, and is forgotten when they log out", async () => {
  const shop = new Shop({ url });
  assert.equal(await shop.account(), undefined);
  await shop.cart.add(apron);
  const account = await shop.logIn(customer);
  assert.equal(account.email, customer.email);
  assert.equal((await shop.account())?.id, account.id);
  const merged = await shop.cart.get();
  const line = merged.lines.find(({ product_id }) => product_id === apron.product_id)!;
  assert.ok(line.quantity >= 2);
  assert.equal((await shop.cart.setQuantity(line.line_key, 1)).item_count, 1);
  assert.equal((await shop.cart.remove(line.line_key)).item_count, 0);
  await shop.logOut();
  assert.equal(await shop.account(), undefined);
  assert.equal((await refusal(shop.orders.list())).code, "unauthenticated");
});

test("two shop objects with one store share the cart, and two first requests at once get one", async () => {
  const store = memoryStore();
  const [one, other] = [new Shop({ url, store }), new Shop({ url, store })];
  await Promise.all([one.cart.add({ ...apron, quantity: 1 }), one.cart.get(), one.cart.add({ product_id: 36 })]);
  assert.equal((await other.cart.get()).item_count, 2);
});

test("totals follow the choices, and an order with another total than was shown is not placed", async () => {
  const shop = new Shop({ url });
  await shop.cart.add({ product_id: 36 });
  const open = (await shop.checkout.requirements()).totals;
  assert.equal(open.complete, false);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  const { order, requirements } = await chosen(shop);
  assert.equal(requirements.totals.complete, true);
  assert.equal(requirements.totals.discount_problem, null);
  const { totals } = await shop.checkout.requirements({ country: "NL", discount_code: "NONE" });
  assert.match(totals.discount_problem!, /code/);
  const error = await refusal(shop.checkout.place({ ...order, expected_total_amount: 1 }));
  assert.deepEqual([error.status, error.reason], [409, "total_changed"]);
  assert.equal(error.totals?.total_amount, order.expected_total_amount);
});

test("errors say what is wrong with which field, in the language that was asked for, and by which id the shop knows it", async () => {
  const shop = new Shop({ url, language: "de" });
  await shop.cart.add(apron);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  const { order } = await chosen(shop);
  const error = await refusal(shop.checkout.place({ ...order, billing: { ...billing, city: "" } }));
  assert.deepEqual([error.status, error.code], [422, "validation_error"]);
  assert.deepEqual(Object.keys(error.fields), ["billing.city"]);
  assert.match(error.message, /Bitte/);
  assert.match(error.requestId!, /^[0-9a-f-]{36}$/);
  const wrong = await refusal(shop.logIn({ ...customer, password: "not this one" }));
  assert.ok(wrong.fields.email);
  assert.equal((await refusal(shop.catalog.product("no-such-thing"))).code, "not_found");
});

test("every route of the document is there, also those that the objects do not cover", async () => {
  const shop = new Shop({ url });
  await shop.logIn(customer);
  const saved = await shop.operations.addressesStore({ body: { ...billing, label: "Home" } });
  assert.equal(saved.data.label, "Home");
  const done = await shop.operations.addressesDestroy({ path: { address: saved.data.id! } });
  assert.equal(done.ok, true);
  const lamps = await shop.catalog.browse({ q: "lamp", "option.color": "sage" });
  assert.ok(lamps.meta.facets);
});

test("sessions are refused outside of a browser, with the way that is open there", async () => {
  const shop = new Shop({ url, login: "session" });
  await assert.rejects(shop.logIn(customer), /login: "token"/);
  assert.throws(() => new Shop(), /`url`/);
});

test("amounts are formatted with the digits of their currency", () => {
  assert.equal(formatAmount(9600, "EUR", "en"), "€96.00");
  assert.equal(formatAmount(9600, "JPY", "en"), "¥9,600");
});
