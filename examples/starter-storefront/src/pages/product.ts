// One product with its choices. The price follows them.
import { type ProductOption, type Selections, selectedPrice } from "@stoa-shop/client";
import { field, h } from "../dom.js";
import { submitting } from "../errors.js";
import { type Page, visit } from "../main.js";
import { language, shop, showCount } from "../shop.js";
import { picture } from "./products.js";

export async function productPage(slug: string): Promise<Page> {
  const product = await shop.catalog.product(slug);
  const price = h("output", { class: "price" });
  const soldOut = product.availability === "out_of_stock";
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
    ...product.options.map(control),
    field("Quantity", h("input", { id: "quantity", name: "quantity", type: "number", min: 1, max: 99, value: 1, required: true })),
    price,
    soldOut ? h("p", {}, "Sold out") : h("button", {}, "Add to cart"),
  );
  const show = () => (price.textContent = selectedPrice(product, selected(form, product.options), language).formatted);
  show();
  const text = (product.description ?? "").split("\n").filter(Boolean);
  const content = h("div", { class: "product" }, picture(product, 640), h("div", {}, ...text.map((line) => h("p", {}, line)), form));
  return { title: product.name, content: [content] };
}

/** The control of an option. What a choice adds to the price stands with it. */
function control({ key, label, type, required, choices }: ProductOption): HTMLElement {
  const name = `selections.${key}`;
  const of = (choice: ProductOption["choices"][number]) =>
    choice.label + (choice.price_adjustment_amount ? ` (${choice.price_adjustment_amount > 0 ? "+" : ""}${choice.price_adjustment_formatted})` : "");
  const caption = required ? label : `${label} (optional)`;
  if (type === "radio" || type === "checkbox") {
    const rows = choices.map((choice) =>
      h("label", {}, h("input", { type, name, value: choice.value, required: type === "radio" && required }), of(choice)),
    );
    return h("fieldset", { class: "field" }, h("legend", {}, caption), ...rows);
  }
  if (type === "select") {
    const rows = choices.map((choice) => h("option", { value: choice.value }, of(choice)));
    return field(caption, h("select", { id: name, name, required }, h("option", { value: "" }, "Please choose"), ...rows));
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
