// Withdrawing from a contract, as the law of the European Union wants it: without a login, in two steps.
import { field, h, input } from "../dom.js";
import { formOf } from "../errors.js";
import type { Page } from "../main.js";
import { shop } from "../shop.js";
import { optional, t } from "../texts.js";

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
      h("p", {}, t.withdrawIntroduction),
      field(t.orderNumber, number),
      field(t.emailOfOrder, email),
      field(optional(t.tellUs), statement),
      h("button", {}, t.withdraw),
    ],
    async () => show(confirmation()),
  );

  const confirmation = () =>
    formOf(
      [
        h("p", { role: "status" }, t.withdrawAsked(number.value, email.value)),
        h("button", {}, t.confirmWithdrawal),
        h("p", {}, back(t.back)),
      ],
      async () => {
        await shop.withdrawals.declareByMail({ order_number: number.value, email: email.value, statement: statement.value || null });
        show(...receipt());
      },
    );

  // The shop tells nobody whether there is such an order: only its buyer gets a mail.
  const receipt = () => [
    h("p", { class: "state", role: "status" }, t.withdrawDeclared(number.value, email.value)),
    h("p", {}, `${t.noMail} `, back(t.checkAgain)),
  ];

  const back = (label: string) => h("button", { type: "button", class: "link", onclick: () => show(first) }, label);

  place.append(first);
  return { title: t.withdraw, content: [place] };
}
