// What went wrong, said where it helps.
import { ShopError } from "@stoa-shop/client";
import { h } from "./dom.js";
import { optional, t } from "./texts.js";

/** Sentences for buyers, where the shop's own are for whoever writes a storefront. By code or reason. */
const SENTENCES: Record<string, string> = {
  unreachable: t.unreachable,
  unreadable: t.unreadable,
  unauthenticated: t.unauthenticated,
  csrf_token_mismatch: t.csrfMismatch,
  foreign_origin: t.foreignOrigin,
  idempotency_key_reused: t.keyReused,
};

/** What an error says to people. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ShopError) return SENTENCES[error.reason ?? ""] ?? SENTENCES[error.code] ?? error.message;
  // A mistake of these pages: whoever writes them wants to see it in the console.
  reportError(error);
  return t.somethingBroke;
}

/** A message, and the id by which the shop's operator finds what happened. */
export function alert(error: unknown, lines = [sentenceOf(error)]): HTMLElement {
  const id = error instanceof ShopError && error.status >= 500 && error.requestId;
  const all = id ? [...lines, t.ifThisLasts(id)] : lines;
  return h("div", { class: "alert", role: "alert" }, ...all.map((line) => h("p", {}, line)));
}

/** A form that runs `act` when it is sent. */
export function formOf(content: HTMLElement[], act: () => Promise<void>): HTMLFormElement {
  const form: HTMLFormElement = h(
    "form",
    {
      onsubmit: (event: Event) => {
        event.preventDefault();
        void submitting(form, act);
      },
    },
    ...content,
  );
  return form;
}

/** Runs what a form does. Its buttons rest meanwhile; an error is shown beside the field that it is about, else before the button. */
export async function submitting(form: HTMLFormElement, act: () => Promise<void>): Promise<void> {
  form.querySelectorAll(".alert").forEach((old) => old.remove());
  form.querySelectorAll<HTMLInputElement>("[aria-invalid]").forEach(({ name }) => mark(form, name, []));
  const resting = [...form.querySelectorAll("button")].filter((button) => !button.disabled);
  resting.forEach((button) => (button.disabled = true));
  try {
    await act();
  } catch (error) {
    const fields = error instanceof ShopError ? Object.entries(error.fields) : [];
    const unplaced = fields.filter(([name, messages]) => !mark(form, name, messages)).flatMap(([, messages]) => messages);
    // Each problem is said once: the general sentence is for what is about no field.
    const box = fields.length === 0 ? alert(error) : unplaced.length > 0 ? alert(error, [...new Set(unplaced)]) : undefined;
    if (box) (form.querySelector("button:not([type])") ?? form.lastElementChild)?.before(box);
    form.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  } finally {
    resting.forEach((button) => (button.disabled = false));
  }
}

/**
 * Shows the messages beside the control of this name, or takes away what stands there; false if there is none.
 * `billing.city` and `city` are one field of these forms.
 */
export function mark(form: HTMLFormElement, name: string, messages: string[]): boolean {
  const own = name.replace(/^billing\./, "");
  const control = form.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"], [name="${CSS.escape(own)}"]`);
  const field = control?.closest(".field");
  if (!control || !field || control.closest("[hidden]")) return false;
  const id = `${control.id || name}-problem`;
  document.getElementById(id)?.remove();
  control.removeAttribute("aria-invalid");
  control.removeAttribute("aria-describedby");
  if (messages.length === 0) return true;
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", id);
  const label = field.querySelector("legend, label")?.textContent ?? control.ariaLabel ?? own;
  // The shop names fields as programs do, in the quotation marks of each language.
  const quoted = new RegExp(`(?<=[“„‘])${name.replaceAll(".", "\\.")}(?=[”“’])`);
  const named = (message: string) => message.replace(quoted, label.replace(optional(""), ""));
  field.append(h("p", { id, class: "problem" }, messages.map(named).join(" ")));
  return true;
}
