// Withdrawing from a contract, as the law of the European Union wants it: without a login, in two steps.
import { field, h, input } from "../dom.js";
import { formOf } from "../errors.js";
import type { Page } from "../main.js";
import { shop } from "../shop.js";

export async function withdrawalPage(query: URLSearchParams): Promise<Page> {
  const number = input("order_number", { value: query.get("order_number") ?? undefined });
  const email = input("email", { type: "email", autocomplete: "email" });
  const statement = input("statement", { required: false, maxlength: 2000 });
  const place = h("div", { class: "narrow" });
  const show = (...content: Node[]) => {
    place.replaceChildren(...content);
    // The button that was pressed is gone: a reader goes on with what is there now.
    document.querySelector<HTMLElement>("#page")!.focus();
  };

  const first = formOf(
    [
      h("p", {}, "You withdraw from everything in the order that can be withdrawn. You need not give a reason."),
      field("Order number", number),
      field("E-mail that you ordered with", email),
      field("What you want to tell us (optional)", statement),
      h("button", {}, "Withdraw from contract"),
    ],
    async () => show(confirmation()),
  );

  const confirmation = () =>
    formOf(
      [
        h("p", { role: "status" }, `Do you want to withdraw from the order ${number.value}? The receipt goes to ${email.value}.`),
        h("button", {}, "Confirm withdrawal"),
        h("p", {}, back("Back")),
      ],
      async () => {
        await shop.operations.withdrawalRequestsStore({ body: { order_number: number.value, email: email.value, statement: statement.value || null } });
        show(...receipt());
      },
    );

  // The shop tells nobody whether there is such an order: only its buyer gets a mail.
  const receipt = () => [
    h("p", { class: "state", role: "status" }, `If ${number.value} was ordered with ${email.value}, your withdrawal is declared, and a receipt is on its way to that address.`),
    h("p", {}, "No mail within a few minutes? Please check the number and the address. ", back("Check again")),
  ];

  const back = (label: string) => h("button", { type: "button", class: "link", onclick: () => show(first) }, label);

  place.append(first);
  return { title: "Withdraw from contract", content: [place] };
}
