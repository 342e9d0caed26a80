import assert from "node:assert/strict";
import { test } from "node:test";
import { type AddToCart, type Order, Shop } from "@stoa-shop/client";
import { apron, billing, chosen, customer, refusal, url } from "./live.js";

/** A guest who has paid for this. */
async function bought(...lines: AddToCart[]): Promise<{ shop: Shop; placed: Order }> {
  const shop = new Shop({ url });
  for (const line of lines) await shop.cart.add(line);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  const { order } = await chosen(shop);
  const placed = await shop.checkout.place(order);
  return { shop, placed: await shop.orders.settled(placed.id, { every: 0.05 }) };
}

test("addresses are saved, replaced as a whole and removed", async () => {
  const shop = new Shop({ url });
  await shop.logIn(customer);
  const saved = await shop.addresses.add({ ...billing, company: "Ada & Sons", label: "Work" });
  assert.ok((await shop.addresses.list()).some(({ id }) => id === saved.id));
  const replaced = await shop.addresses.replace(saved.id!, { ...billing, city: "Utrecht" });
  assert.deepEqual([replaced.id, replaced.city, replaced.company], [saved.id, "Utrecht", null]);
  const partly = await refusal(shop.addresses.replace(saved.id!, { city: "Gouda" } as typeof billing));
  assert.ok(partly.fields.line1);
  await shop.addresses.remove(saved.id!);
  assert.equal((await refusal(shop.addresses.remove(saved.id!))).code, "not_found");
});

test("a guest withdraws from a part of an order, then from the rest, and finds both", async () => {
  const { shop, placed } = await bought(apron);
  assert.equal(placed.withdrawal?.possible, true);
  const [item] = placed.items;
  const part = await shop.withdrawals.declare(placed.id, { lines: [{ item_id: item!.id, quantity: 1 }], statement: "Too long" });
  assert.deepEqual([part.status, part.order_number, part.lines[0]!.quantity], ["declared", placed.number, 1]);
  const rest = await shop.withdrawals.declare(placed.id);
  assert.deepEqual((await shop.withdrawals.list()).data.map(({ id }) => id), [rest.id, part.id]);
  assert.equal((await shop.withdrawals.get(part.id)).statement, "Too long");
  const nothing = await refusal(shop.withdrawals.declare(placed.id));
  assert.ok(nothing.fields.order_id);
});

test("who withdraws by a wrong key or by mail is told nothing of an order", async () => {
  const { placed } = await bought(apron);
  const stranger = new Shop({ url });
  const error = await refusal(stranger.withdrawals.declare({ number: placed.number, key: "of-nobody" }));
  assert.equal(error.code, "not_found");
  await stranger.withdrawals.declareByMail({ order_number: placed.number, email: "eve@example.com" });
});

test("what was bought is found for all orders, and for one", async () => {
  const recordings = await new Shop({ url }).catalog.product("dawn-recordings");
  const { shop, placed } = await bought({ product_id: recordings.id, quantity: 1 }, apron);
  const order = { number: placed.number };
  let downloads = await shop.purchases.downloads({ order });
  for (const end = Date.now() + 20_000; downloads.data.length === 0 && Date.now() < end; ) downloads = await shop.purchases.downloads({ order });
  assert.deepEqual((await shop.purchases.downloads()).data.map(({ token }) => token), downloads.data.map(({ token }) => token));
  const file = await shop.purchases.file(downloads.data[0]!.token, order);
  assert.ok(file.size > 0);
  for (const list of ["digitalSecrets", "eventTickets", "services", "subscriptions"] as const) {
    assert.deepEqual((await shop.purchases[list]({ order })).data, []);
  }
  const stranger = new Shop({ url });
  const key = await refusal(stranger.purchases.downloads({ order: { ...order, key: "of-nobody" } }));
  assert.equal(key.code, "not_found");
});

test("a customer changes their name and their own subscriptions, and passwords are for pages of the shop's own host", async () => {
  const shop = new Shop({ url });
  const account = await shop.logIn(customer);
  assert.equal((await shop.rename("Ada Renamed")).name, "Ada Renamed");
  await shop.rename(account.name);
  assert.equal((await refusal(shop.purchases.cancelSubscription(0))).code, "not_found");
  assert.equal((await refusal(shop.purchases.resumeSubscription(0))).code, "not_found");
  await assert.rejects(shop.forgotPassword(customer.email), /login: "session"/);
});
