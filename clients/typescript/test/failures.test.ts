import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryStore, type OrderToPlace, Shop, type ShopSettings, type Store } from "@stoa-shop/client";
import { type Fate, withFaults } from "./faults.js";
import { apron, chosen, refusal, url } from "./live.js";

async function guest(settings: ShopSettings): Promise<Shop> {
  const shop = new Shop(settings);
  await shop.cart.add(apron);
  await shop.continueAsGuest({ email: "grace@example.com", name: "Grace" });
  return shop;
}

const isCheckout = ({ method, path }: { method: string; path: string }) => method === "POST" && path === "/api/v1/checkout";

/** What stands before a shop that is away. */
const away = { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad gateway</h1>" };

/** A token as the shop makes them, which this one did not make. */
const unknownToken = `1|${"a".repeat(48)}`;

/** Has a guest order while this becomes of the request; then the same visitor reaches the shop. */
async function afterLoss(fate: Fate, look: (later: Shop, order: OrderToPlace, store: Store) => Promise<void>): Promise<void> {
  const store = memoryStore();
  await withFaults(
    (request) => (isCheckout(request) ? fate : "pass"),
    async (proxy) => {
      const shop = await guest({ url: proxy, store, attempts: 1 });
      const { order } = await chosen(shop);
      await refusal(shop.checkout.place(order));
      await look(new Shop({ url, store }), order, store);
    },
  );
}

test("an order whose answer was lost is asked for again, and is there once", async () => {
  await withFaults(
    (request, count) => (isCheckout(request) && count === 1 ? "lose-answer" : "pass"),
    async (proxy, seen) => {
      const shop = await guest({ url: proxy });
      const { order } = await chosen(shop);
      const placed = await shop.checkout.place(order);
      const keys = seen.filter(isCheckout).map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 2);
      assert.equal(keys[0], keys[1]);
      assert.deepEqual((await shop.orders.list()).data.map(({ id }) => id), [placed.id]);
    },
  );
});

test("an order whose answers were all lost is found by the page that asks for it next, and another cart is another order", async () => {
  const store = memoryStore();
  await withFaults(
    (request) => (isCheckout(request) ? "lose-answer" : "pass"),
    async (proxy, seen) => {
      const shop = await guest({ url: proxy, store, attempts: 2 });
      const { order } = await chosen(shop);
      const error = await refusal(shop.checkout.place(order));
      assert.deepEqual([error.status, error.code, error.isTemporary], [0, "unreachable", true]);
      assert.equal(seen.filter(isCheckout).length, 2);

      const later = new Shop({ url, store });
      const placed = await later.checkout.place(order);
      assert.deepEqual((await later.orders.list()).data.map(({ id }) => id), [placed.id]);
      await later.cart.add(apron);
      const second = await later.checkout.place(order);
      assert.notEqual(second.id, placed.id);
    },
  );
});

test("an order whose answer was lost is found after a reload, when the cart is empty, and is returned when something else is typed", async () => {
  for (const isTypedAnew of [false, true]) {
    await afterLoss("lose-answer", async (later, order) => {
      assert.equal((await later.cart.get()).item_count, 0);
      const billing = { ...order.billing!, city: "Utrecht" };
      const found = isTypedAnew ? await later.checkout.place({ ...order, billing }) : await later.checkout.recover();
      assert.deepEqual((await later.orders.list()).data.map(({ id }) => id), [found?.id]);
      assert.equal(found?.billing_address.city, order.billing!.city);
      assert.equal(await later.checkout.recover(), undefined);
    });
  }
});

test("an order whose answer was lost is still known when the login has ended before it is looked for", async () => {
  await afterLoss("lose-answer", async (later, _, store) => {
    const token = (await store.get("token"))!;
    await store.set("token", unknownToken);
    const loggedOut = new Shop({ url, store });
    assert.equal((await refusal(loggedOut.checkout.recover())).code, "unauthenticated");
    assert.equal(await loggedOut.checkout.recover(), undefined);
    await store.set("token", token);
    assert.deepEqual((await later.orders.list()).data.map(({ id }) => id), [(await later.checkout.recover())?.id]);
  });
});

test("an order that has not reached the shop is not placed by looking for it", async () => {
  await afterLoss(away, async (later) => {
    assert.equal(await later.checkout.recover(), undefined);
    assert.deepEqual((await later.orders.list()).data, []);
    const [line] = (await later.cart.get()).lines;
    await later.cart.remove(line!.line_key);
    assert.equal(await later.checkout.recover(), undefined);
    assert.deepEqual((await later.orders.list()).data, []);
  });
});

test("a key of an order whose answer was lost is given up with the cart", async () => {
  await afterLoss("lose-answer", async (later, order) => {
    const [lost] = (await later.orders.list()).data;
    await later.cart.add(apron);
    assert.notEqual((await later.checkout.place(order)).id, lost!.id);
  });
});

test("a refusal that asks to wait is waited for, unless that takes too long", async () => {
  const limited = (seconds: string) => ({
    status: 429,
    headers: { "Content-Type": "application/json", "Retry-After": seconds, "X-Request-Id": "a-request" },
    body: JSON.stringify({ message: "Too many requests.", code: "rate_limited" }),
  });
  await withFaults(
    ({ method }, count) => (method === "POST" && count === 1 ? limited("1") : "pass"),
    async (proxy, seen) => {
      const begin = Date.now();
      await new Shop({ url: proxy }).cart.add(apron);
      assert.ok(Date.now() - begin >= 990);
      assert.equal(seen.length, 2);
    },
  );
  await withFaults(
    () => limited("60"),
    async (proxy, seen) => {
      const error = await refusal(new Shop({ url: proxy }).cart.get());
      assert.deepEqual([error.status, error.code, error.retryAfter, error.requestId], [429, "rate_limited", 60, "a-request"]);
      assert.equal(seen.length, 1);
    },
  );
});

test("reads are tried again, and writes that could happen twice are not", async () => {
  await withFaults(
    ({ method }, count) => (method === "GET" && count > 2 ? "pass" : away),
    async (proxy, seen) => {
      const shop = new Shop({ url: proxy });
      assert.equal((await shop.catalog.product("pottering-apron")).id, 4);
      assert.equal(seen.length, 3);
      const error = await refusal(shop.cart.add(apron));
      assert.deepEqual([error.status, error.code], [502, "unreadable"]);
      assert.equal(seen.length, 4);
    },
  );
});

test("an access token that is over is forgotten, so that its visitor is a guest again", async () => {
  const store = memoryStore();
  const shop = new Shop({ url, store });
  await store.set("token", unknownToken);
  assert.equal((await refusal(shop.cart.add(apron))).code, "unauthenticated");
  assert.equal((await shop.cart.add(apron)).item_count, 2);
});

test("what the client says by itself is in the language of the shop object", async () => {
  const nobody = "http://127.0.0.1:9";
  const told = async (language?: string) => (await refusal(new Shop({ url: nobody, language, attempts: 1 }).cart.get())).message;
  assert.equal(await told("de-AT"), "Der Shop ist nicht erreichbar.");
  assert.equal(await told("nl"), "De winkel is niet bereikbaar.");
  assert.equal(await told("fr"), "The shop cannot be reached.");
  assert.equal(await told(), "The shop cannot be reached.");
});
