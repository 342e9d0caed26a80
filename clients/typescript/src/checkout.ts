// From the cart to the order, which is placed once however often it is asked for.
import { ShopError } from "./errors.js";
import type { CheckoutRequest, CheckoutRequirements, CheckoutRequirementsData, Consent, Operations, Order } from "./generated/index.js";
import type { Store } from "./store.js";

/** What has been chosen so far, for the price before the order. */
export type CheckoutChoices = NonNullable<CheckoutRequirementsData["query"]>;

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
   * another page: as long as the cart is not changed and the shop has not answered. An order that was placed before, and whose answer was lost, is
   * returned as it was placed, though something else is typed now.
   */
  async place(order: OrderToPlace): Promise<Order> {
    const unanswered = await this.unanswered();
    try {
      return await this.send({ key: unanswered?.key ?? newKey(), order });
    } catch (error) {
      const isPlaced = error instanceof ShopError && error.reason === "idempotency_key_reused";
      if (!unanswered || !isPlaced) throw error;
      return await this.send(unanswered);
    }
  }

  /**
   * The order whose answer was lost, if the shop has it, such as after a reload of the page. It is asked for while the cart is empty: then it was placed,
   * or nothing was.
   */
  async recover(): Promise<Order | undefined> {
    const unanswered = await this.unanswered();
    if (!unanswered || (await this.operations.cartShow()).data.item_count > 0) return undefined;
    try {
      return await this.send(unanswered);
    } catch (error) {
      if (error instanceof ShopError && !error.isTemporary) return undefined;
      throw error;
    }
  }

  /** Sends an order, and keeps it in the store until it is answered. */
  private async send(order: Unanswered): Promise<Order> {
    await this.store.set("checkout", JSON.stringify(order));
    try {
      const placed = await this.operations.checkoutStore({ body: order.order, headers: { "Idempotency-Key": order.key } });
      await this.store.delete("checkout");
      return placed.data;
    } catch (error) {
      // Who is not logged in is told nothing of an order.
      if (error instanceof ShopError && !error.isTemporary && error.status !== 401) await this.store.delete("checkout");
      throw error;
    }
  }

  private async unanswered(): Promise<Unanswered | undefined> {
    const kept = await this.store.get("checkout");
    return kept ? JSON.parse(kept) : undefined;
  }
}

/** An order that was sent, and the key that makes it one however often it is sent. */
interface Unanswered {
  key: string;
  order: OrderToPlace;
}

/** What the order says of a consent that the customer gives, with the edition of its text that was shown. */
export function consentTo({ id, version }: Pick<Consent, "id" | "version">): string {
  return `${id}@${version}`;
}

/** A new idempotency key. `crypto.randomUUID` exists on pages with TLS only. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
