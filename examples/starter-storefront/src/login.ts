// Logging in, out, and making an account.
import type { Account } from "@stoa-shop/client";
import { field, h, input } from "./dom.js";
import { submitting } from "./errors.js";
import { showCount } from "./frame.js";
import { shop } from "./shop.js";
import { t } from "./texts.js";

/** A form that runs `then` when somebody has logged in. */
export function loginForm(then: () => Promise<void>): HTMLFormElement {
  const told = h("p", { role: "status" });
  const email = input("email", { id: "login-email", type: "email", autocomplete: "username" });
  const forgot = async () => {
    if (!email.reportValidity()) return;
    await shop.forgotPassword(email.value);
    told.textContent = t.forgotSent;
  };
  const form: HTMLFormElement = entrance(t.logIn, [email, input("password", { type: "password", autocomplete: "current-password" })], async (value) => {
    await shop.logIn({ email: value("email"), password: value("password") });
    await then();
  });
  form.append(h("p", {}, h("button", { type: "button", class: "link", onclick: () => void submitting(form, forgot) }, t.forgotPassword)), told);
  return form;
}

/** A form that makes an account. */
export function registrationForm(then: () => Promise<void>): HTMLFormElement {
  const controls = [
    input("name", { id: "new-name", autocomplete: "name" }),
    input("email", { id: "new-email", type: "email", autocomplete: "email" }),
    input("password", { id: "new-password", type: "password", autocomplete: "new-password", minlength: 10, maxlength: 200 }),
  ];
  return entrance(t.createAccount, controls, async (value) => {
    await shop.register({ name: value("name"), email: value("email"), password: value("password") });
    await then();
  });
}

const LABELS: Record<string, string> = { name: t.name, email: t.email, password: t.password };

function entrance(label: string, controls: HTMLInputElement[], act: (value: (name: string) => string) => Promise<void>): HTMLFormElement {
  const form: HTMLFormElement = h(
    "form",
    {
      class: "narrow",
      onsubmit: (event: Event) => {
        event.preventDefault();
        const data = new FormData(form);
        void submitting(form, async () => {
          await act((name) => String(data.get(name)));
          showCount((await shop.cart.get()).item_count);
        });
      },
    },
    ...controls.map((control) => field(LABELS[control.name]!, control)),
    h("button", {}, label),
  );
  return form;
}

/** Who is logged in, with a button to leave. */
export function buyer(sentence: string, { name, email }: Account): HTMLElement {
  const leave = async () => {
    await shop.logOut();
    // Loaded anew, these pages have forgotten what was typed.
    location.assign("/");
  };
  return h("p", { class: "buyer" }, `${sentence} ${name}, ${email}. `, h("button", { type: "button", class: "link", onclick: () => void leave() }, t.logOut));
}
