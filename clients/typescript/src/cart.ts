// The cart: a guest's, whose token is in the store, or the own one of the customer who is logged in.
import type { AddToCart, Cart as CartResource, Operations } from "./generated/index.js";

export class Cart {
  constructor(private readonly operations: Operations) {}

  async get(): Promise<CartResource> {
    return (await this.operations.cartShow()).data;
  }

  async add(product: AddToCart): Promise<CartResource> {
    return (await this.operations.cartStore({ body: product })).data;
  }

  /** Sets how many of a line are wanted, 0 to 99; 0 removes it. */
  async setQuantity(lineKey: string, quantity: number): Promise<CartResource> {
    return (await this.operations.cartUpdate({ path: { lineKey }, body: { quantity } })).data;
  }

  async remove(lineKey: string): Promise<CartResource> {
    return (await this.operations.cartDestroy({ path: { lineKey } })).data;
  }
}
