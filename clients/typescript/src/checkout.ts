// From the cart to the order, which is placed once however often it is asked for.
import { ShopError } from "./errors.js";
import type { CheckoutRequest, CheckoutRequirements, CheckoutRequirementsData2, Operations, Order } from "./generated/index.js";
import type { Store } from "./store.js";

/** What has been chosen so far, for the price before the order. */
export type CheckoutChoices = NonNullable<CheckoutRequirementsData2["query"]>;

/** An order as the customer has seen it: `expected_total_amount` is the `totals.total_amount` that was shown. */
export type OrderToPlace = Omit<CheckoutRequest, "idempotency_key" | "expected_total_amount"> & { expected_total_amount: number };

export class Checkout {
  constructor(
    private readonly operations: Operations,
    private readonly store: Store,
  ) {}

  /** What the cart needs to become an order, and in `totals` what it costs with these choices. */
  async requirements(choices: CheckoutChoices = {}): Promise<CheckoutRequirements> {
    return (await this.operations.checkoutRequirements({ query: choices })).data;
  }

  /**
   * Places the order. When no answer comes, the request is sent again with the same idempotency key, now and when this is called again, also by
   * another page: as long as the cart is not changed and the shop has not answered.
   */
  async place(order: OrderToPlace): Promise<Order> {
    const key = (await this.store.get("checkout")) ?? newKey();
    await this.store.set("checkout", key);
    try {
      const placed = await this.operations.checkoutStore({ body: order, headers: { "Idempotency-Key": key } });
      await this.store.delete("checkout");
      return placed.data;
    } catch (error) {
      if (error instanceof ShopError && !error.isTemporary) await this.store.delete("checkout");
      throw error;
    }
  }
}

/** A new idempotency key. `crypto.randomUUID` exists on pages with TLS only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
