// What somebody has bought that is no parcel.
import type {
  DigitalSecretPage,
  DownloadPage,
  EventTicketPage,
  Operations,
  ServicePage,
  Subscription,
  SubscriptionPage,
} from "./generated/index.js";

/** The order that something was bought with; with the key from the link in a mail, without a login. */
export interface BoughtWith {
  number: string;
  key?: string;
}

/** Which page of a list, and of which order; of all own ones unless it is given. */
export interface Bought {
  page?: number;
  order?: BoughtWith;
}

export class Purchases {
  constructor(private readonly operations: Operations) {}

  async downloads(bought: Bought = {}): Promise<DownloadPage> {
    return this.operations.downloadsIndex(asked(bought));
  }

  /** A file, by the `token` of its download. Each counts against the download's limit. */
  async file(token: string, order?: BoughtWith): Promise<Blob> {
    return this.operations.downloadsFile({ path: { token }, headers: headersOf(order), parseAs: "blob" });
  }

  /** Keys and codes, with their values. */
  async digitalSecrets(bought: Bought = {}): Promise<DigitalSecretPage> {
    return this.operations.digitalSecretsIndex(asked(bought));
  }

  async eventTickets(bought: Bought = {}): Promise<EventTicketPage> {
    return this.operations.eventTicketsIndex(asked(bought));
  }

  async services(bought: Bought = {}): Promise<ServicePage> {
    return this.operations.servicesIndex(asked(bought));
  }

  async subscriptions(bought: Bought = {}): Promise<SubscriptionPage> {
    return this.operations.subscriptionsIndex(asked(bought));
  }

  /** Ends a subscription with the period that is paid; one that is overdue, at once. */
  async cancelSubscription(subscription: number): Promise<Subscription> {
    return (await this.operations.subscriptionChangesCancel({ path: { subscription } })).data;
  }

  /** Takes back that it was cancelled, before it has ended. */
  async resumeSubscription(subscription: number): Promise<Subscription> {
    return (await this.operations.subscriptionChangesResume({ path: { subscription } })).data;
  }
}

function asked({ page = 1, order }: Bought) {
  return { query: { page }, headers: headersOf(order) };
}

function headersOf(order: BoughtWith | undefined) {
  return order && { "X-Order-Number": order.number, ...(order.key !== undefined && { "X-Order-Key": order.key }) };
}
