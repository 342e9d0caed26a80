// Logging in, out, and making an account.
import type { Account } from "@stoa-shop/client";
import { field, h, input } from "./dom.js";
import { submitting } from "./errors.js";
import { showCount } from "./frame.js";
import { shop } from "./shop.js";

/** A form that runs `then` when somebody has logged in. */
export function loginForm(then: () => Promise<void>): HTMLFormElement {
  const told = h("p", { role: "status" });
  const email = input("email", { id: "login-email", type: "email", autocomplete: "username" });
  const forgot = async () => {
    if (!email.reportValidity()) return;
    // Routes of sessions stand beside the API.
    await shop.operations.sessionPasswordForgot({ baseUrl: location.origin, body: { email: email.value } });
    told.textContent = "If there is an account with this address, a mail with a link to a new password is on its way.";
  };
  const form: HTMLFormElement = entrance("Log in", [email, input("password", { type: "password", autocomplete: "current-password" })], async (value) => {
    await shop.logIn({ email: value("email"), password: value("password") });
    await then();
  });
  form.append(h("p", {}, h("button", { type: "button", class: "link", onclick: () => void submitting(form, forgot) }, "Forgot your password?")), told);
  return form;
}

/** A form that makes an account. */
export function registrationForm(then: () => Promise<void>): HTMLFormElement {
  const controls = [
    input("name", { id: "new-name", autocomplete: "name" }),
    input("email", { id: "new-email", type: "email", autocomplete: "email" }),
    input("password", { id: "new-password", type: "password", autocomplete: "new-password", minlength: 10, maxlength: 200 }),
  ];
  return entrance("Create account", controls, async (value) => {
    await shop.register({ name: value("name"), email: value("email"), password: value("password") });
    await then();
  });
}

const LABELS: Record<string, string> = { name: "Name", email: "E-mail", password: "Password" };

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
  return h("p", { class: "buyer" }, `${sentence} ${name}, ${email}. `, h("button", { type: "button", class: "link", onclick: () => void leave() }, "Log out"));
}
