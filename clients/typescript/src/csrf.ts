// The header by which the shop knows that a write comes from a page of its own.

/** The value of the cookie that the shop sets for scripts to read. It changes with every login, so it is read each time. */
export async function csrfToken(root: string, fetch: typeof globalThis.fetch): Promise<string> {
  if (cookie() === undefined) await renewCsrfToken(root, fetch);
  return cookie() ?? "";
}

/** Has the shop set the cookie anew. */
export async function renewCsrfToken(root: string, fetch: typeof globalThis.fetch): Promise<void> {
  await fetch(`${root}/session/csrf`);
}

function cookie(): string | undefined {
  if (typeof document === "undefined") {
    throw new Error('Sessions live in the cookies of a browser. Elsewhere, use `login: "token"`.');
  }
  return document.cookie.split("; ").find((pair) => pair.startsWith("XSRF-TOKEN="))?.slice("XSRF-TOKEN=".length);
}
