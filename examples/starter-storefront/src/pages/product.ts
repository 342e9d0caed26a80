// One product with its choices. The price follows them.
import { type Product, type ProductOption, type Selections, selectedPrice } from "@stoa-shop/client";
import { field, h, input, type Row, rows } from "../dom.js";
import { submitting } from "../errors.js";
import { availabilityOf, besidePrice, detailList } from "../facts.js";
import { showCount } from "../frame.js";
import { type Page, visit } from "../main.js";
import { picture } from "../pictures.js";
import { money, shop } from "../shop.js";
import { language, optional, t } from "../texts.js";

export async function productPage(slug: string): Promise<Page> {
  const product = await shop.catalog.product(slug);
  const price = h("output", { class: "price" });
  const beside = h("div", { class: "beside" });
  const form = h(
    "form",
    {
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        void submitting(form, async () => {
          const quantity = form.querySelector<HTMLInputElement>("#quantity")!.valueAsNumber;
          const cart = await shop.cart.add({ product_id: product.id, quantity, selections: selected(form, product.options) });
          showCount(cart.item_count);
          await visit("/cart");
        });
      },
      onchange: () => show(),
    },
    ...product.options.map((option) => control(option, product.price.currency)),
    product.availability === "out_of_stock"
      ? undefined
      : h("div", { class: "buy" }, field(t.quantity, input("quantity", { type: "number", min: 1, max: 99, value: 1 })), h("button", {}, t.addToCart)),
  );
  const show = () => {
    const now = selectedPrice(product, selected(form, product.options), language);
    const extra = now.amount - product.price.amount;
    price.textContent = now.formatted;
    // Prices to compare with are those of the product without choices that cost something.
    beside.replaceChildren(...(extra === 0 ? besidePrice(product) : []), detailList(product.details, now.currency, extra));
  };
  show();
  const text = (product.description ?? "").split("\n").filter(Boolean);
  const subtitle = product.subtitle ? h("p", { class: "subtitle" }, product.subtitle) : undefined;
  const bought = h("div", {}, subtitle, price, beside, availabilityOf(product.availability), form, ...text.map((line) => h("p", {}, line)), ...facts(product));
  return { title: product.name, content: [h("div", { class: "product" }, pictures(product), bought)] };
}

function pictures({ name, images }: Product): HTMLElement {
  const [first, ...others] = images;
  const sizes = "(min-width: 60rem) 34rem, 95vw";
  const further = others.map((image, index) => picture(image, "(min-width: 60rem) 17rem, 45vw", t.pictureOf(name, index + 2)));
  return h("div", { class: "pictures" }, picture(first, sizes), ...further);
}

/** What is known of it besides, and what there is to be warned of. */
function facts({ brand, sku, gtin, weight_grams, safety }: Product): HTMLElement[] {
  const weight = weight_grams === null ? null : new Intl.NumberFormat(language, { style: "unit", unit: "gram" }).format(weight_grams);
  const contact = (who: { name: string; address: string; email: string } | null | undefined) => (who ? `${who.name}, ${who.address}, ${who.email}` : null);
  const known: [string, string | null][] = [
    [t.brand, brand],
    [t.weight, weight],
    [t.articleNumber, sku],
    ["GTIN", gtin],
    [t.manufacturer, contact(safety?.manufacturer)],
    [t.responsible, contact(safety?.responsible_person)],
    [t.warnings, safety?.warnings[language] ?? Object.values(safety?.warnings ?? {})[0] ?? null],
  ];
  const told = known.flatMap(([name, fact]): Row[] => (fact === null ? [] : [[name, fact]]));
  return told.length > 0 ? [rows(told)] : [];
}

/** The control of an option. What a choice adds to the price stands with it. */
function control({ key, label, type, required, choices }: ProductOption, currency: string): HTMLElement {
  const name = `selections.${key}`;
  const of = (choice: ProductOption["choices"][number]) =>
    choice.label + (choice.price_adjustment_amount ? ` (${choice.price_adjustment_amount > 0 ? "+" : ""}${money(choice.price_adjustment_amount, currency)})` : "");
  const caption = required ? label : optional(label);
  if (type === "radio" || type === "checkbox") {
    const found = choices.map((choice) =>
      h("label", {}, h("input", { type, name, value: choice.value, required: type === "radio" && required }), of(choice)),
    );
    return h("fieldset", { class: "field" }, h("legend", {}, caption), ...found);
  }
  if (type === "select") {
    const found = choices.map((choice) => h("option", { value: choice.value }, of(choice)));
    return field(caption, h("select", { id: name, name, required }, h("option", { value: "" }, required ? t.pleaseChoose : t.none), ...found));
  }
  if (type === "toggle") return h("label", { class: "field" }, h("input", { type: "checkbox", name, required }), caption);
  return field(caption, h("input", { id: name, name, required, maxlength: 255, type, step: type === "number" ? "any" : undefined }));
}

/** What the form selects, as the cart takes it. */
function selected(form: HTMLFormElement, options: ProductOption[]): Selections {
  const data = new FormData(form);
  const values = options.map(({ key, type }) => {
    const all = data.getAll(`selections.${key}`).map(String).filter(Boolean);
    if (type === "checkbox") return [key, all];
    if (type === "toggle") return [key, all.length > 0];
    return [key, all[0] === undefined ? null : type === "number" ? Number(all[0]) : all[0]];
  });
  return Object.fromEntries(values);
}
