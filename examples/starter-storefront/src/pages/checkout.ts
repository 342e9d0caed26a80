// One page from the cart to the order: who, where to, how, and what it costs.
import { type Account, type CheckoutRequirements, type CheckoutTotals, ShopError } from "@stoa-shop/client";
import { field, h, input, radios } from "../dom.js";
import { alert, submitting } from "../errors.js";
import { type Page, visit } from "../main.js";
import { pay } from "../pay.js";
import { language, money, shop, showCount } from "../shop.js";

/** What this page can ask for. Modules of a shop may want more. */
const ASKED = ["billing", "payment", "review", "shipping_address", "shipping_method", "product_configuration"];

export async function checkoutPage(): Promise<Page> {
  const [account, cart, offered] = await Promise.all([shop.account(), shop.cart.get(), shop.checkout.requirements()]);
  if (cart.item_count === 0) return { title: "Checkout", content: [h("p", {}, "The cart is empty. ", h("a", { href: "/" }, "Find something"))] };
  const missing = offered.requirements.filter((id) => !ASKED.includes(id));
  if (missing.length > 0) return { title: "Checkout", content: [h("p", {}, `This page cannot ask for: ${missing.join(", ")}.`)] };

  let totals = offered.totals;
  const sums = h("div", { class: "totals", "aria-live": "polite" });
  const shipping = h("div");
  const order = h("button", {}, "Order");
  const value = (name: string) => String(new FormData(form).get(name) ?? "").trim();
  const chosen = () => ({
    country: value("country") || undefined,
    shipping_method_id: value("shipping_method_id") || undefined,
    payment_method: value("payment_method") || undefined,
    discount_code: value("discount_code") || undefined,
  });

  const show = (now: CheckoutTotals) => {
    totals = now;
    order.disabled = !now.complete;
    order.textContent = now.complete ? `Order for ${now.total_formatted}` : "Order";
    sums.replaceChildren(...sumsOf(now, offered.requires_shipping));
  };
  const showMethods = ({ shipping_methods }: CheckoutRequirements, taken?: string) => {
    const rows = shipping_methods.map(({ id, label, amount_formatted }) => ({ value: id, label: `${label}, ${amount_formatted}` }));
    shipping.replaceChildren(...(rows.length > 0 ? [radios("How it is sent", "shipping_method_id", rows, taken)] : []));
    if (offered.requires_shipping && rows.length === 0) shipping.append(h("p", { class: "alert" }, "Nothing is sent to this country."));
  };
  let latest = 0;
  const price = async () => {
    const mine = ++latest;
    order.disabled = true;
    try {
      const choices = chosen();
      const now = await shop.checkout.requirements(choices);
      // A method that does not go to another country is not chosen any more.
      if (mine !== latest) return;
      showMethods(now, choices.shipping_method_id);
      show(now.totals);
    } catch (error) {
      if (mine === latest) sums.replaceChildren(alert(error));
    }
  };

  let buying = account;
  const place = async () => {
    // Another address is another guest.
    if (!buying || (!account && buying.email !== value("email").toLowerCase())) {
      buying = await shop.continueAsGuest({ email: value("email"), name: value("name") });
    }
    const [name, line1, postal_code, city, country] = ["name", "line1", "postal_code", "city", "country"].map(value) as [string, string, string, string, string];
    const consents = new FormData(form).getAll("consents").map(String);
    try {
      const placed = await shop.checkout.place({
        ...chosen(),
        billing: { name, line1, postal_code, city, country },
        consents,
        expected_total_amount: totals.total_amount,
      });
      showCount(0);
      history.replaceState(null, "", `/orders/${placed.id}`);
      if (placed.status === "paid") await visit(`/orders/${placed.id}`);
      // If this does not work, the page of the order offers to pay.
      else await pay(placed, placed.payment_method).catch(() => visit(`/orders/${placed.id}`));
    } catch (error) {
      if (error instanceof ShopError && error.totals) show(error.totals);
      throw error;
    }
  };

  const form: HTMLFormElement = h(
    "form",
    {
      class: "checkout",
      onchange: (event: Event) => {
        if (/^(country|shipping_method_id|payment_method|discount_code)$/.test((event.target as HTMLInputElement).name)) void price();
      },
      onsubmit: (event: Event) => {
        event.preventDefault();
        void submitting(form, place);
      },
    },
    account ? buyer(account) : field("E-mail", input("email", { type: "email", autocomplete: "email" })),
    field("Name", input("name", { autocomplete: "name", value: account?.name })),
    field("Street and number", input("line1", { autocomplete: "address-line1" })),
    field("Postal code", input("postal_code", { autocomplete: "postal-code" })),
    field("City", input("city", { autocomplete: "address-level2" })),
    field("Country", countries(offered.countries)),
    shipping,
    offered.payment_methods.length > 0
      ? radios("How you pay", "payment_method", offered.payment_methods.map(({ id, label }) => ({ value: id, label })))
      : undefined,
    field("Discount code (optional)", input("discount_code", { required: false })),
    ...offered.consents.map(({ id, version, label, url, required }) =>
      h("label", { class: "field" }, h("input", { type: "checkbox", name: "consents", value: `${id}@${version}`, required }), url ? h("a", { href: url, target: "_blank" }, label) : label),
    ),
    sums,
    order,
  );
  show(totals);
  return { title: "Checkout", content: [account ? h("span") : login(), form] };
}

function sumsOf(totals: CheckoutTotals, sent: boolean): Node[] {
  const { subtotal_amount, discount_amount, shipping_amount, tax_amount, total_amount } = totals;
  const isTaxAdded = total_amount !== subtotal_amount - discount_amount + shipping_amount;
  const rows: [string, number][] = [["Goods", subtotal_amount]];
  if (discount_amount > 0) rows.push(["Discount", -discount_amount]);
  if (sent) rows.push(["Shipping", shipping_amount]);
  if (isTaxAdded) rows.push(["Tax", tax_amount]);
  rows.push(["Total", total_amount]);
  if (!isTaxAdded && tax_amount > 0) rows.push(["Tax included", tax_amount]);
  const list = h("dl", {}, ...rows.flatMap(([label, amount]) => [h("dt", {}, label), h("dd", {}, money(amount, totals.currency))]));
  const open = totals.complete ? undefined : h("p", { class: "muted" }, "The country and how it is sent decide about the total.");
  const problem = totals.discount_problem ? h("p", { class: "problem" }, totals.discount_problem) : undefined;
  return [list, open, problem].filter((node) => node !== undefined);
}

function countries(codes: string[]): HTMLSelectElement {
  const names = new Intl.DisplayNames(language, { type: "region" });
  const rows = codes.map((code) => ({ code, name: names.of(code) ?? code })).sort((a, b) => a.name.localeCompare(b.name, language));
  const options = rows.map(({ code, name }) => h("option", { value: code }, name));
  return h("select", { id: "country", name: "country", required: true, autocomplete: "country" }, h("option", { value: "" }, "Please choose"), ...options);
}

function buyer({ name, email }: Account): HTMLElement {
  const leave = async () => {
    await shop.logOut();
    showCount(0);
    await visit("/");
  };
  return h("p", {}, `You are buying as ${name}, ${email}. `, h("button", { type: "button", class: "quiet", onclick: () => void leave() }, "Log out"));
}

function login(): HTMLElement {
  const form: HTMLFormElement = h(
    "form",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        const data = new FormData(form);
        void submitting(form, async () => {
          await shop.logIn({ email: String(data.get("email")), password: String(data.get("password")) });
          await visit("/checkout");
        });
      },
    },
    field("E-mail", input("email", { id: "login-email", type: "email", autocomplete: "username" })),
    field("Password", input("password", { type: "password", autocomplete: "current-password" })),
    h("button", {}, "Log in"),
  );
  return h("details", {}, h("summary", {}, "I have an account"), form);
}
