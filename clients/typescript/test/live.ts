// The shop that tests talk to: a demo that runs at STOA_SHOP.
import assert from "node:assert/strict";
import { type CheckoutRequirements, type OrderToPlace, ShopError, type Shop } from "@stoa-shop/client";

function given(name: string): string {
  const value = process.env[name];
  assert.ok(value, `${name} has to be set: where a demo shop runs (STOA_SHOP), and its customer (STOA_EMAIL, STOA_PASSWORD)`);
  return value;
}

export const url = given("STOA_SHOP").replace(/\/$/, "");
export const customer = { email: given("STOA_EMAIL"), password: given("STOA_PASSWORD") };

export const apron = { product_id: 4, quantity: 2, selections: { color: "sage", length: "long" } };

export const billing = {
  name: "Ada Buyer",
  line1: "Keizersgracht 1",
  city: "Amsterdam",
  postal_code: "1015 AA",
  country: "NL",
};

/** What the cart costs when it is sent to the Netherlands in the first way there is. */
export async function chosen(shop: Shop): Promise<{ order: OrderToPlace; requirements: CheckoutRequirements }> {
  const first = await shop.checkout.requirements({ country: "NL" });
  const shipping_method_id = first.shipping_methods[0]!.id;
  const requirements = await shop.checkout.requirements({ country: "NL", shipping_method_id, payment_method: "development" });
  const order = {
    billing,
    shipping_method_id,
    payment_method: "development",
    expected_total_amount: requirements.totals.total_amount,
    consents: requirements.consents.filter(({ required }) => required).map(({ id }) => id),
  };
  return { order, requirements };
}

/** The error that a request has to end with. */
export async function refusal(request: Promise<unknown>): Promise<ShopError> {
  const outcome = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof ShopError, `no error of the shop: ${outcome}`);
  return outcome;
}
