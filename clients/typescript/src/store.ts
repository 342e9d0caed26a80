// Where the client keeps what has to outlive a request, or a page.

/**
 * `cart`: the token of the cart. `token`: the access token, unless sessions are used. `checkout`: the idempotency key of an order whose fate is not
 * known yet. `visitor`: the value of the cookie `XSRF-TOKEN` while nobody is logged in with a session.
 */
export type StoredName = "cart" | "token" | "checkout" | "visitor";

/** One visitor's values. A server that asks for several visitors has one store for each, such as their sessions. */
export interface Store {
  get(name: StoredName): string | undefined | Promise<string | undefined>;
  set(name: StoredName, value: string): void | Promise<void>;
  delete(name: StoredName): void | Promise<void>;
}

/** Forgets everything when the program ends, or the page is left. */
export function memoryStore(): Store {
  const values = new Map<StoredName, string>();
  return {
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    delete: (name) => void values.delete(name),
  };
}

/** Keeps values in the browser: in `localStorage`, or in what is given. Where the browser allows neither, in memory. */
export function browserStore(storage?: Storage, prefix = "stoa."): Store {
  let kept: Storage;
  try {
    kept = storage ?? localStorage;
  } catch {
    return memoryStore();
  }
  return {
    get: (name) => kept.getItem(prefix + name) ?? undefined,
    set: (name, value) => kept.setItem(prefix + name, value),
    delete: (name) => kept.removeItem(prefix + name),
  };
}
