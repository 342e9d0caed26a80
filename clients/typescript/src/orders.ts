// Orders, and what becomes of their money.
import { newKey } from "./checkout.js";
import type { Operations, Order, OrderPage, PaymentAttempt, PayRequest } from "./generated/index.js";
import { elapsed } from "./wait.js";

/** The id of an own order; or its number and key from the link in a mail, which need no login. */
export type OrderReference = number | { number: string; key: string };

/** Where and how to pay. */
export type Payment = Omit<PayRequest, "idempotency_key">;

export class Orders {
  constructor(private readonly operations: Operations) {}

  async list(page = 1): Promise<OrderPage> {
    return this.operations.ordersIndex({ query: { page } });
  }

  async get(order: OrderReference, signal?: AbortSignal): Promise<Order> {
    const answer =
      typeof order === "number"
        ? this.operations.ordersShow({ path: { order }, signal })
        : this.operations.guestOrdersShow({ path: { number: order.number }, headers: { "X-Order-Key": order.key }, signal });
    return (await answer).data;
  }

  /** An own invoice as a file: a PDF to print, or the electronic invoice alone. */
  async invoiceFile(invoice: number, type: "application/pdf" | "application/xml" = "application/pdf"): Promise<Blob> {
    const headers = { Accept: type };
    // The document says of this route what it answers as JSON, too.
    return (await this.operations.invoicesShow({ path: { invoice }, headers, parseAs: "blob" })) as unknown as Blob;
  }

  /** Begins to pay, or goes on with what was begun. Send the customer to `redirect_url`; without one, show `instructions`. */
  async pay(order: OrderReference, payment: Payment): Promise<PaymentAttempt> {
    // Calling this again is a new try; a key serves the attempts of this call alone.
    const headers = { "Idempotency-Key": newKey() };
    const answer =
      typeof order === "number"
        ? this.operations.ordersPay({ path: { order }, body: payment, headers })
        : this.operations.guestOrdersPay({
            path: { number: order.number },
            body: payment,
            headers: { ...headers, "X-Order-Key": order.key },
          });
    return (await answer).data;
  }

  /**
   * Reads the order until it is known what became of its payment, as for a customer who comes back from paying. An order that is still open after
   * `within` seconds is returned as it is: look at it with `isSettled`.
   */
  async settled(
    order: OrderReference,
    { every = 2, within = 60, signal }: { every?: number; within?: number; signal?: AbortSignal } = {},
  ): Promise<Order> {
    const end = Date.now() + within * 1000;
    for (;;) {
      const read = await this.get(order, signal);
      if (isSettled(read) || Date.now() + every * 1000 > end) return read;
      await elapsed(every, signal);
    }
  }
}

/** Whether nothing is awaited: the order is paid or over, or the last attempt to pay it failed. */
export function isSettled(order: Order): boolean {
  return order.status !== "pending" || order.payment_status !== "pending";
}
