// The addresses that a customer has saved.
import type { Address, AddressRequest, Operations } from "./generated/index.js";

export class Addresses {
  constructor(private readonly operations: Operations) {}

  /** All of them, the newest first. One that is known from elsewhere, and not saved, has no id. */
  async list(): Promise<Address[]> {
    return (await this.operations.addressesIndex()).data;
  }

  async add(address: AddressRequest): Promise<Address> {
    return (await this.operations.addressesStore({ body: address })).data;
  }

  /** Puts a whole address in the place of a saved one: what is left out is empty afterwards, but for the default flags. */
  async replace(id: number, address: AddressRequest): Promise<Address> {
    return (await this.operations.addressesUpdate({ path: { address: id }, body: address })).data;
  }

  async remove(id: number): Promise<void> {
    await this.operations.addressesDestroy({ path: { address: id } });
  }
}
