// Withdrawing from a contract, as the law of the European Union wants it.
import { newKey } from "./checkout.js";
import type { GuestWithdrawalRequest, Operations, Withdrawal, WithdrawalByMailRequest, WithdrawalPage } from "./generated/index.js";
import type { OrderReference } from "./orders.js";

/** What is withdrawn, everything that can be unless `lines` say it, and what the customer wants to say. */
export type Declaration = Omit<GuestWithdrawalRequest, "idempotency_key">;

export class Withdrawals {
  constructor(private readonly operations: Operations) {}

  async list(page = 1): Promise<WithdrawalPage> {
    return this.operations.withdrawalsIndex({ query: { page } });
  }

  async get(withdrawal: number): Promise<Withdrawal> {
    return (await this.operations.withdrawalsShow({ path: { withdrawal } })).data;
  }

  /** Withdraws from an order; `withdrawal` of the order says from what one can. The customer gets a receipt by mail. */
  async declare(order: OrderReference, declaration: Declaration = {}): Promise<Withdrawal> {
    // Calling this again is another declaration; a key serves the attempts of this call alone.
    const headers = { "Idempotency-Key": newKey() };
    const answer =
      typeof order === "number"
        ? this.operations.withdrawalsStore({ body: { ...declaration, order_id: order }, headers })
        : this.operations.guestOrdersWithdraw({
            path: { number: order.number },
            body: declaration,
            headers: { ...headers, "X-Order-Key": order.key },
          });
    return (await answer).data;
  }

  /**
   * Withdraws from everything in an order, without a login or a link. Whether there is such an order is told nobody: the receipt goes to the address
   * that it was placed with.
   */
  async declareByMail(declaration: WithdrawalByMailRequest): Promise<void> {
    await this.operations.withdrawalRequestsStore({ body: declaration });
  }
}
