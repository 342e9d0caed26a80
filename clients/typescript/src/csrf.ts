// The header by which the shop knows that a write comes from a page of its own, and what its cookie tells about sessions.
import type { Store } from "./store.js";

/** The value of the cookie that the shop sets for scripts to read. It changes with every login, so it is read each time. */
export async function csrfToken(root: string, store: Store, fetch: typeof globalThis.fetch): Promise<string> {
  if (typeof document === "undefined") {
    throw new Error('Sessions live in the cookies of a browser. Elsewhere, use `login: "token"`.');
  }
  if (cookie() === undefined) {
    await renewCsrfToken(root, fetch);
    // There was none before, so there is no session that it belongs to.
    await noteVisitor(store);
  }
  return cookie() ?? "";
}

/** Has the shop set the cookie anew. */
export async function renewCsrfToken(root: string, fetch: typeof globalThis.fetch): Promise<void> {
  await fetch(`${root}/session/csrf`);
}

/** Notes that nobody is logged in as long as the cookie has this value: another comes with every login. */
export async function noteVisitor(store: Store): Promise<void> {
  const value = cookie();
  if (value !== undefined) await store.set("visitor", value);
}

/** Whether it is known that nobody is logged in. The shop sets the cookie with each session, and for as long. */
export async function isVisitor(store: Store): Promise<boolean> {
  if (typeof document === "undefined") return false;
  const value = cookie();
  return value === undefined || value === (await store.get("visitor"));
}

function cookie(): string | undefined {
  if (typeof document === "undefined") return undefined;
  return document.cookie.split("; ").find((pair) => pair.startsWith("XSRF-TOKEN="))?.slice("XSRF-TOKEN=".length);
}
