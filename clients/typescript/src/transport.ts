// How one request travels: with what headers, how often, and what is remembered of its answer.
import { csrfToken, renewCsrfToken } from "./csrf.js";
import { ShopError } from "./errors.js";
import type { Store } from "./store.js";
import { elapsed } from "./wait.js";

export interface TransportSettings {
  /** Where the shop is, without a slash at the end. */
  root: string;
  login: "session" | "token";
  store: Store;
  language: string | undefined;
  headers: Record<string, string>;
  /** The longest that one attempt may take, in milliseconds. */
  timeout: number;
  /** How often a request is sent at most. */
  attempts: number;
  /** The longest pause before another attempt, in seconds. When the shop asks for more, the error says how long. */
  patience: number;
  fetch: typeof fetch;
}

/** Takes the place of `fetch`, and answers with successes only. */
export function transport(settings: TransportSettings): (request: Request) => Promise<Response> {
  // Two first requests at once would get two carts.
  let cartIsFree: Promise<unknown> = Promise.resolve();
  return (request) => {
    if (!isAboutCart(settings, request)) return send(settings, request);
    const answer = cartIsFree.then(() => send(settings, request));
    cartIsFree = answer.catch(() => undefined);
    return answer;
  };
}

async function send(settings: TransportSettings, request: Request): Promise<Response> {
  await addHeaders(settings, request);
  let isRenewed = settings.login === "token";
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await sendOnce(settings, request);
      await remember(settings, request, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      // A token that is over would close even what everybody may do.
      if (error.status === 401) await settings.store.delete("token");
      if (error.reason === "csrf_token_mismatch" && !isRenewed) {
        // The session that the cookie belonged to is over, such as that of a page that was left open.
        isRenewed = true;
        await renewCsrfToken(settings.root, settings.fetch);
        await addHeaders(settings, request);
        continue;
      }
      const pause = attempt < settings.attempts ? pauseBefore(settings, request, error, attempt) : undefined;
      if (pause === undefined) throw error;
      await elapsed(pause, request.signal);
    }
  }
}

async function addHeaders(settings: TransportSettings, request: Request): Promise<void> {
  const { headers } = request;
  for (const [name, value] of Object.entries(settings.headers)) headers.set(name, value);
  if (!headers.has("Accept")) headers.set("Accept", "application/json");
  if (settings.language && !headers.has("Accept-Language")) headers.set("Accept-Language", settings.language);
  if (isAboutCart(settings, request) && !headers.has("X-Cart-Token")) {
    const cart = await settings.store.get("cart");
    if (cart) headers.set("X-Cart-Token", cart);
  }
  if (settings.login === "token") {
    const token = await settings.store.get("token");
    if (token && !headers.has("Authorization")) headers.set("Authorization", `Bearer ${token}`);
  } else if (!isRead(request)) {
    headers.set("X-XSRF-TOKEN", await csrfToken(settings.root, settings.store, settings.fetch));
  }
}

/** One attempt. The body of JSON is read here, so that an answer that breaks off counts as none. */
async function sendOnce(settings: TransportSettings, request: Request): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(settings.timeout)]);
  try {
    const { fetch } = settings;
    const answer = await fetch(request.clone(), { signal });
    if (answer.status === 304) throw ShopError.notModified(answer);
    const isJson = answer.headers.get("Content-Type")?.includes("json") ?? false;
    if (answer.status < 400 && !isJson) return answer;
    const text = await answer.text();
    if (answer.status >= 400) throw ShopError.refused(request, answer, text);
    return new Response(text, answer);
  } catch (error) {
    if (error instanceof ShopError || request.signal.aborted) throw error;
    throw ShopError.unreachable(request, error);
  }
}

async function remember({ store }: TransportSettings, request: Request, answer: Response): Promise<void> {
  const cart = answer.headers.get("X-Cart-Token");
  if (cart) await store.set("cart", cart);
  // Another cart is another order.
  if (cart && !isRead(request)) await store.delete("checkout");
}

/** The seconds to wait before the request is sent again; none if sending it again may do something twice, or helps nobody. */
function pauseBefore(settings: TransportSettings, request: Request, error: ShopError, attempt: number): number | undefined {
  // Whoever is over a limit was not heard. Of everything else nobody knows whether it was done.
  const mayRepeat = error.status === 429 || isRead(request) || request.headers.has("Idempotency-Key");
  if (!error.isTemporary || !mayRepeat) return undefined;
  const pause = error.retryAfter ?? 0.25 * 2 ** attempt * (1 + Math.random());
  return pause <= settings.patience ? pause : undefined;
}

function isRead(request: Request): boolean {
  return request.method === "GET" || request.method === "HEAD";
}

function isAboutCart({ root }: TransportSettings, request: Request): boolean {
  return ["cart", "checkout"].some((route) => request.url.startsWith(`${root}/api/v1/${route}`));
}
