// One page from the cart to the order: who, where to, how, and what it costs.
import { type Cart, type CheckoutRequirements, type CheckoutTotals, consentTo, type Order, ShopError } from "@stoa-shop/client";
import { addressFields, addressFrom, likelyCountry, savedAddresses } from "../addresses.js";
import { field, h, input, radios } from "../dom.js";
import { alert, mark, submitting } from "../errors.js";
import { showCount } from "../frame.js";
import { cartLine } from "../lines.js";
import { buyer, loginForm } from "../login.js";
import { type Page, refresh, visit } from "../main.js";
import { orderAddress, pay } from "../pay.js";
import { money, shop } from "../shop.js";
import { sums } from "../sums.js";
import { optional, t } from "../texts.js";

/** What this page can ask for. Modules of a shop may want more. */
const ASKED = ["billing", "payment", "review", "shipping_address", "shipping_method", "product_configuration"];

/** The law of the European Union wants the last button to say no less. */
const OBLIGATION = t.obligation;

/** What was typed here, for whoever logs in, or looks at something else and comes back. Nothing outlives the window. */
const typed = new Map<string, string>();

export async function checkoutPage(signal: AbortSignal): Promise<Page> {
  const [account, cart, offered] = await Promise.all([shop.account(), shop.cart.get(), shop.checkout.requirements()]);
  showCount(cart.item_count);
  // The page of the cart knows whether an order has taken what was in it.
  if (cart.item_count === 0) return { title: t.atCheckout, content: [], instead: "/cart" };
  const missing = offered.requirements.filter((id) => !ASKED.includes(id));
  if (missing.length > 0) return { title: t.atCheckout, content: [h("p", {}, t.canNotAsk(missing.join(", ")))] };
  const saved = account ? await shop.addresses.list() : [];

  let totals = offered.totals;
  let buying = account;
  let method = typed.get("shipping_method_id");
  const costs = h("div", { class: "totals", "aria-live": "polite" });
  const methods = h("div");
  const who = h("div", {}, account ? buyer(t.buyingAs, account) : login());
  const order = h("button", {}, OBLIGATION);
  let listed = summary(cart);
  const value = (name: string) => String(new FormData(form).get(name) ?? "").trim();
  const isElsewhere = () => value("elsewhere") !== "";
  const choices = () => ({
    country: value(isElsewhere() ? "shipping.country" : "country") || undefined,
    shipping_method_id: method,
    payment_method: value("payment_method") || undefined,
    discount_code: value("discount_code") || undefined,
  });

  const show = (now: CheckoutTotals) => {
    totals = now;
    order.disabled = !now.complete;
    const isFree = now.complete && now.total_amount === 0;
    order.textContent = isFree ? t.order : now.complete ? `${OBLIGATION} ${money(now.total_amount, now.currency)}` : OBLIGATION;
    const open = offered.requires_shipping ? t.totalFollowsSent : t.totalFollows;
    costs.replaceChildren(
      sums(now, { isSent: offered.requires_shipping, isKnown: now.complete }),
      now.complete ? "" : h("p", { class: "muted" }, open),
    );
    mark(form, "discount_code", now.discount_problem ? [now.discount_problem] : []);
  };
  /** Offers what goes to the country. A method that does not go there is not chosen any more; the only one is. */
  const showMethods = ({ shipping_methods }: CheckoutRequirements) => {
    const [first, ...others] = shipping_methods;
    method = others.length === 0 ? first?.id : shipping_methods.find(({ id }) => id === method)?.id;
    const offers = shipping_methods.map(({ id, label, amount }) => ({ value: id, label: `${label}, ${amount > 0 ? money(amount, totals.currency) : t.free.toLowerCase()}` }));
    methods.replaceChildren(...(offers.length > 0 ? [radios(t.howSent, "shipping_method_id", offers, method)] : []));
    if (offered.requires_shipping && offers.length === 0) methods.append(h("p", { class: "alert" }, t.notSentThere));
  };
  let latest = 0;
  const price = async () => {
    const mine = ++latest;
    order.disabled = true;
    try {
      const asked = choices();
      if (!asked.country) return show(offered.totals);
      const now = await shop.checkout.requirements(asked);
      if (mine !== latest) return;
      showMethods(now);
      if (method !== asked.shipping_method_id && method) return await price();
      show(now.totals);
    } catch (error) {
      if (mine === latest) costs.replaceChildren(alert(error));
    }
  };

  /** Shows what the cart has become meanwhile, and what that costs. */
  const readAgain = async () => {
    const [now] = await Promise.all([shop.cart.get(), price()]);
    const anew = summary(now);
    listed.replaceWith(anew);
    listed = anew;
    showCount(now.item_count);
  };

  const place = async () => {
    // Another e-mail address is another guest.
    if (!buying || (!account && buying.email !== value("email").toLowerCase())) {
      buying = await shop.continueAsGuest({ email: value("email"), name: value("name") });
    }
    try {
      await leave(
        await shop.checkout.place({
          ...choices(),
          billing: addressFrom(value, ""),
          shipping: isElsewhere() ? addressFrom(value, "shipping.") : null,
          consents: new FormData(form).getAll("consents").map(String),
          expected_total_amount: totals.total_amount,
        }),
      );
    } catch (error) {
      // If it cannot be read now, the next try to order says so again.
      if (error instanceof ShopError && error.reason === "total_changed") await readAgain().catch(() => undefined);
      // The order was placed in another window.
      if (error instanceof ShopError && error.reason === "cart_empty") return refresh();
      // Nobody has done anything here for hours. A customer's cart waits for the login.
      if (error instanceof ShopError && error.status === 401) who.replaceChildren(login(true));
      throw error;
    }
  };

  const { country, ...usual } = saved.find((address) => address.is_default_billing) ?? saved[0] ?? {};
  const elsewhere = h("div", { hidden: true }, addressFields("shipping.", offered.countries, likelyCountry(offered.countries)));
  const form: HTMLFormElement = h(
    "form",
    {
      class: "checkout",
      onchange: ({ target }: Event) => {
        const { name, value: chosen } = target as HTMLInputElement;
        if (name === "shipping_method_id") method = chosen;
        if (name === "elsewhere") showElsewhere();
        if (/^(shipping\.)?country$|^(elsewhere|shipping_method_id|payment_method|discount_code)$/.test(name)) void price();
      },
      onsubmit: (event: Event) => {
        event.preventDefault();
        void submitting(form, place);
      },
    },
    h(
      "div",
      { class: "steps" },
      account ? undefined : field(t.email, input("email", { type: "email", autocomplete: "email" })),
      savedAddresses(saved, (address) => fill(address)),
      addressFields("", offered.countries, likelyCountry(offered.countries)),
      offered.requires_shipping
        ? h("label", { class: "field" }, h("input", { type: "checkbox", name: "elsewhere", value: "1" }), t.sendElsewhere)
        : undefined,
      elsewhere,
      methods,
      offered.payment_methods.length > 0
        ? radios(t.howPaid, "payment_method", offered.payment_methods.map(({ id, label }) => ({ value: id, label })))
        : undefined,
      field(optional(t.discountCode), input("discount_code", { required: false })),
    ),
    listed,
    costs,
    offered.consents.length > 0 ? h("fieldset", { class: "field", "aria-label": t.agreements }, ...offered.consents.map(consent)) : undefined,
    order,
  );
  const control = (name: string) => form.elements.namedItem(name);
  const fill = (known: object) => {
    for (const [name, text] of Object.entries(known)) {
      const found = control(name);
      if (found instanceof HTMLInputElement && /radio|checkbox/.test(found.type)) found.checked = found.value === text;
      else if (found instanceof RadioNodeList || found instanceof HTMLInputElement || found instanceof HTMLSelectElement) found.value = text ?? "";
    }
    void price();
  };
  // What nobody sees has nothing to say, and nothing to be asked for.
  const showElsewhere = () => {
    const isHidden = !isElsewhere();
    elsewhere.hidden = isHidden;
    elsewhere.querySelectorAll<HTMLInputElement>("input, select").forEach((control) => (control.disabled = isHidden));
  };

  const restored = typed.get("line1") ? {} : { ...usual, ...(country && { country }) };
  const [onlyPayment, ...otherPayments] = offered.payment_methods;
  fill({ name: account?.name, ...restored, ...(otherPayments.length === 0 && { payment_method: onlyPayment?.id }), ...Object.fromEntries(typed) });
  showElsewhere();
  signal.addEventListener("abort", () => {
    const now = [...new FormData(form)].filter(([name, text]) => name !== "consents" && text);
    typed.clear();
    if (!form.dataset.placed) now.forEach(([name, text]) => typed.set(name, String(text)));
  });
  const leave = async (placed: Order) => {
    showCount(0);
    form.dataset.placed = "yes";
    const address = orderAddress(placed.id);
    history.replaceState(null, "", address);
    // If this does not work, the page of the order offers to pay.
    if (placed.status === "pending") await pay(placed).catch(() => visit(address));
    else await visit(address);
  };
  return { title: t.atCheckout, content: [who, form] };
}

function login(open = false): HTMLElement {
  return h("details", { open }, h("summary", {}, t.iHaveAnAccount), loginForm(refresh));
}

/** What is ordered, before the button, with what it costs each time where it renews. */
function summary(cart: Cart): HTMLElement {
  const lines = cart.lines.map((line) => cartLine(line, h("span", { class: "count" }, `${line.quantity} ×`)));
  const back = h("p", {}, h("a", { href: "/cart" }, t.changeCart));
  return h("section", { class: "summary" }, h("h2", {}, t.yourOrder), h("ul", { class: "lines" }, ...lines), back);
}

function consent(asked: CheckoutRequirements["consents"][number]): HTMLElement {
  const { label, url, required } = asked;
  const box = h("input", { type: "checkbox", name: "consents", value: consentTo(asked), required });
  return h("label", {}, box, h("span", {}, `${label} `, url ? h("a", { href: url, target: "_blank" }, t.readIt) : undefined));
}
