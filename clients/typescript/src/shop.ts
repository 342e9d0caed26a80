// One shop, as one visitor sees it.
import { Addresses } from "./addresses.js";
import { Cart } from "./cart.js";
import { Catalog } from "./catalog.js";
import { Checkout } from "./checkout.js";
import { isVisitor, noteVisitor } from "./csrf.js";
import { ShopError } from "./errors.js";
import { createClient } from "./generated/client/index.js";
import {
  type Account,
  type GuestRequest,
  type LoginRequest,
  Operations,
  type PasswordResetRequest,
  type RegistrationRequest,
} from "./generated/index.js";
import { Orders } from "./orders.js";
import { Purchases } from "./purchases.js";
import { memoryStore, type Store } from "./store.js";
import { transport } from "./transport.js";
import { Withdrawals } from "./withdrawals.js";

export interface ShopSettings {
  /** Where the shop is, such as `https://shop.example.com`; in a browser, the page's own origin when left out. */
  url?: string;
  /**
   * How visitors are remembered. `session`: by a cookie that no script can read, on pages of the shop's own host. `token`, unless given: by an access
   * token in the store.
   */
  login?: "session" | "token";
  /** Where tokens are kept; in memory unless given. */
  store?: Store;
  /** The language of messages, such as `de`. */
  language?: string;
  /** Headers of every request, such as `X-Forwarded-For` with the visitor's address when pages are rendered on a server. */
  headers?: Record<string, string>;
  /** The longest that one attempt may take: 30,000 milliseconds unless given. */
  timeout?: number;
  /** How often a request is sent at most that can be sent again without harm: 3 unless given. */
  attempts?: number;
  /** The longest pause before another attempt: 10 seconds unless given. When the shop asks for more, the error says so in `retryAfter`. */
  patience?: number;
  /** What requests are made with, unless it is the global `fetch`. */
  fetch?: typeof fetch;
}

export class Shop {
  /** Every route of the API, by the names of its document. Errors and headers are treated as everywhere here. */
  readonly operations: Operations;
  readonly catalog: Catalog;
  readonly cart: Cart;
  readonly checkout: Checkout;
  readonly orders: Orders;
  readonly purchases: Purchases;
  readonly withdrawals: Withdrawals;
  readonly addresses: Addresses;
  readonly #pages: Operations;
  readonly #store: Store;
  readonly #login: "session" | "token";

  constructor(settings: ShopSettings = {}) {
    const root = (settings.url ?? globalThis.location?.origin ?? "").replace(/\/+$/, "");
    if (!/^https?:\/\//.test(root)) throw new Error("`url` has to be where the shop is, such as `https://shop.example.com`.");
    const { login = "token", store = memoryStore(), headers = {}, timeout = 30_000, attempts = 3, patience = 10, language } = settings;
    const page = globalThis.location?.origin;
    if (login === "session" && page && new URL(root).origin !== page) {
      throw new Error(`Sessions are for pages of the shop's own host: \`url\` has to be ${page}, or \`login\` "token".`);
    }
    const send = transport({
      ...{ root, login, store, language, headers, timeout, attempts, patience },
      // A browser's own wants no other `this` than the window.
      fetch: settings.fetch ?? ((input, init) => fetch(input, init)),
    });
    const operationsAt = (baseUrl: string) =>
      new Operations({ client: createClient({ baseUrl, fetch: (input) => send(input as Request), throwOnError: true }) });
    this.operations = operationsAt(`${root}/api/v1`);
    // Routes of sessions stand beside the API.
    this.#pages = operationsAt(root);
    this.#store = store;
    this.#login = login;
    this.catalog = new Catalog(this.operations);
    this.cart = new Cart(this.operations);
    this.checkout = new Checkout(this.operations, store);
    this.orders = new Orders(this.operations);
    this.purchases = new Purchases(this.operations);
    this.withdrawals = new Withdrawals(this.operations);
    this.addresses = new Addresses(this.operations);
  }

  /** Who is logged in, or begins to buy as a guest; `undefined` if nobody does. */
  async account(): Promise<Account | undefined> {
    if (this.#login === "token" ? !(await this.#store.get("token")) : await isVisitor(this.#store)) return undefined;
    try {
      return (await this.operations.accountShow()).data;
    } catch (error) {
      if (!(error instanceof ShopError) || error.status !== 401) throw error;
      if (this.#login === "session") await noteVisitor(this.#store);
      return undefined;
    }
  }

  /** Logs in. What the visitor has put into the cart moves into the customer's own cart. */
  async logIn(credentials: LoginRequest): Promise<Account> {
    if (this.#login === "session") return this.#merged((await this.#pages.sessionStore({ body: credentials })).data);
    const { token } = await this.operations.authTokensStore({ body: { ...credentials, name: "Storefront" } });
    return this.#remember(token);
  }

  /** Begins to buy without an account. Mails about orders go to this address. */
  async continueAsGuest(guest: GuestRequest): Promise<Account> {
    if (this.#login === "session") return this.#merged((await this.#pages.sessionGuest({ body: guest })).data);
    const { token } = await this.operations.authGuestTokensStore({ body: guest });
    return this.#remember(token);
  }

  /** Makes an account, and logs in. */
  async register(registration: RegistrationRequest): Promise<Account> {
    return this.#merged((await this.#ownPages().sessionRegister({ body: registration })).data);
  }

  /** Has a mail with a link to a new password sent. Whether there is an account with this address is told nobody. */
  async forgotPassword(email: string): Promise<void> {
    await this.#ownPages().sessionPasswordForgot({ body: { email } });
  }

  /** Sets a new password, for the page that `accounts.reset_password_url` of the shop names: `token` is in its address. */
  async resetPassword(reset: PasswordResetRequest): Promise<void> {
    await this.#ownPages().sessionPasswordReset({ body: reset });
  }

  /** Confirms an e-mail address, for the page that `accounts.verify_email_url` of the shop names: `token` is in its address. */
  async verifyEmail(token: string): Promise<Account> {
    return (await this.#ownPages().sessionEmailVerify({ body: { token } })).data;
  }

  /** Changes the customer's name. */
  async rename(name: string): Promise<Account> {
    return (await this.operations.accountUpdate({ body: { name } })).data;
  }

  /** Logs out, and forgets the cart. */
  async logOut(): Promise<void> {
    try {
      if (this.#login === "session") {
        await this.#pages.sessionDestroy();
        await noteVisitor(this.#store);
      } else if (await this.#store.get("token")) await this.operations.authTokensDestroy();
    } catch (error) {
      // A token that is over, or that of a guest, which ends by itself.
      const isNoLoss = error instanceof ShopError && (error.status === 401 || error.code === "insufficient_scope");
      if (!isNoLoss) throw error;
    } finally {
      for (const name of ["token", "cart", "checkout"] as const) await this.#store.delete(name);
    }
  }

  /** Routes that take a session alone. */
  #ownPages(): Operations {
    if (this.#login !== "session") throw new Error('Accounts are made and opened again on pages of the shop\'s own host, with `login: "session"`.');
    return this.#pages;
  }

  async #remember(token: string): Promise<Account> {
    await this.#store.set("token", token);
    return this.#merged((await this.operations.accountShow()).data);
  }

  /** The visitor's lines move with the first request about the cart: if this one fails, with the next. */
  async #merged(account: Account): Promise<Account> {
    await this.cart.get().catch(() => undefined);
    return account;
  }
}
