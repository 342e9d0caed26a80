// What went wrong, said where it helps.
import { ShopError } from "@stoa-shop/client";
import { h } from "./dom.js";

/** A message, and the id by which the shop's operator finds what happened. */
export function alert(error: unknown): HTMLElement {
  if (!(error instanceof ShopError)) throw error;
  const wait = error.retryAfter && `Please try again in ${error.retryAfter} seconds.`;
  const id = error.status >= 500 && error.requestId && `If this lasts, tell the shop this number: ${error.requestId}`;
  const lines = [error.message, wait, id].filter((line) => typeof line === "string");
  return h("div", { class: "alert", role: "alert" }, ...lines.map((line) => h("p", {}, line)));
}

/** Runs what a form does. Its buttons rest meanwhile; an error is shown beside the field that it is about, else before the buttons. */
export async function submitting(form: HTMLFormElement, act: () => Promise<void>): Promise<void> {
  form.querySelectorAll(".alert, .problem").forEach((old) => old.remove());
  form.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"));
  const buttons = form.querySelectorAll("button");
  buttons.forEach((button) => (button.disabled = true));
  try {
    await act();
  } catch (error) {
    const fields = error instanceof ShopError ? Object.entries(error.fields) : [];
    const unplaced = fields.filter(([name, messages]) => !placed(form, name, messages));
    const box = alert(error);
    box.append(...unplaced.flatMap(([, messages]) => messages.map((message) => h("p", {}, message))));
    buttons[buttons.length - 1]?.before(box);
    form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  } finally {
    buttons.forEach((button) => (button.disabled = false));
  }
}

/** Shows the messages beside the control of this name: `billing.city` and `city` are one field of these forms. */
function placed(form: HTMLFormElement, name: string, messages: string[]): boolean {
  const control = form.querySelector(`[name="${CSS.escape(name)}"], [name="${CSS.escape(name.replace(/^billing\./, ""))}"]`);
  if (!control) return false;
  const id = `${name}-problem`;
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", id);
  control.closest(".field")?.append(h("p", { id, class: "problem" }, messages.join(" ")));
  return true;
}
