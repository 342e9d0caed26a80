// What the console sends along: the access token, which only this page's memory holds, and the cart token, which this tab keeps.

const CART_KEY = "stoa.reference.cart_token";

/** The cart token of this tab: read, kept, forgotten, with a call to `onChange` whenever it changes. */
export class CartToken {
  #value = null;
  #listeners = new Set();

  constructor() {
    // Storage may be forbidden by the browser; the token then lasts as long as the page.
    try {
      this.#value = sessionStorage.getItem(CART_KEY);
    } catch {}
  }

  get value() {
    return this.#value;
  }

  set value(value) {
    if (value === this.#value) return;
    this.#value = value;
    try {
      if (value === null) sessionStorage.removeItem(CART_KEY);
      else sessionStorage.setItem(CART_KEY, value);
    } catch {}
    this.#listeners.forEach((listener) => listener());
  }

  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Makes a request of the console what a client outside a browser would send; the curl line shows the same one. */
export function complete(request, cartToken, isCartRequest) {
  const headers = { ...request.headers };
  const named = (name) => Object.keys(headers).find((header) => header.toLowerCase() === name);
  const accept = named("accept");
  if (accept === undefined || headers[accept] === "*/*") headers[accept ?? "accept"] = "application/json";
  if (cartToken.value && named("x-cart-token") === undefined && isCartRequest(request.method, request.url)) {
    headers["X-Cart-Token"] = cartToken.value;
  }
  // No session cookie of this browser, and no body of its cache: what is answered is what the request alone deserves.
  return Object.assign(request, { headers, credentials: "omit", cache: "no-store" });
}

/** Learns from an answer: a cart's token, and a newly made access token, which is used from then on. */
export function learn(response, cartToken, useAccessToken) {
  const token = response.headers?.["x-cart-token"];
  if (token) cartToken.value = token;
  const body = response.body;
  if (response.ok && body?.token_type === "Bearer" && typeof body.token === "string") useAccessToken(body.token);
  return response;
}

/** The part of the page where tokens are entered and forgotten. */
export function credentialsPanel(system, { bearer, cartToken }) {
  const { React } = system;
  const h = React.createElement;

  const AccessToken = () => {
    const [draft, setDraft] = React.useState("");
    const current = system.authSelectors.authorized()?.getIn([bearer, "value"]);
    if (current) {
      return h("div", { className: "credential", id: "access-token-set" },
        h("span", { className: "credential-label" }, "Access token"),
        h("code", null, abbreviated(current)),
        h("span", { className: "credential-note" }, "is sent with protected operations."),
        h("button", { type: "button", className: "quiet", onClick: () => system.authActions.logout([bearer]) }, "Forget"));
    }
    const use = (event) => {
      event.preventDefault();
      if (draft.trim()) system.preauthorizeApiKey(bearer, draft.trim().replace(/^bearer\s+/i, ""));
      setDraft("");
    };
    return h("form", { className: "credential", onSubmit: use },
      h("label", { className: "credential-label", htmlFor: "access-token" }, "Access token"),
      h("input", {
        id: "access-token", type: "password", value: draft, autoComplete: "off", spellCheck: false,
        placeholder: "12|…", onChange: (event) => setDraft(event.target.value),
      }),
      h("button", { type: "submit", className: "primary" }, "Use"));
  };

  const Cart = () => {
    const [, refresh] = React.useReducer((count) => count + 1, 0);
    React.useEffect(() => cartToken.onChange(refresh), []);
    return h("div", { className: "credential", id: "cart-token" },
      h("span", { className: "credential-label" }, "Cart token"),
      cartToken.value
        ? h(React.Fragment, null,
            h("code", null, abbreviated(cartToken.value)),
            h("span", { className: "credential-note" }, "is sent with cart operations."),
            h("button", { type: "button", className: "quiet", onClick: () => { cartToken.value = null; } }, "Forget"))
        : h("span", { className: "credential-note" }, "None yet. The first answer of a cart brings one, and it is sent along from then on."));
  };

  return () => h("section", { className: "credentials", "aria-label": "Credentials" }, bearer && h(AccessToken), h(Cart));
}

function abbreviated(token) {
  return token.length > 14 ? `${token.slice(0, 8)}…${token.slice(-4)}` : token;
}
