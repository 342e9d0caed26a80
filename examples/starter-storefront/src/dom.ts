// Elements, made in one line. Texts are set as texts, so nothing that a shop or a customer has written becomes markup.
import { t } from "./texts.js";

type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;
type Child = Node | string | undefined;

export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value as EventListener);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A field with its label. Errors find it by its name. */
export function field(label: string, control: HTMLInputElement | HTMLSelectElement): HTMLElement {
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control);
}

export function input(name: string, attributes: Attributes = {}): HTMLInputElement {
  return h("input", { id: name, name, required: true, ...attributes });
}

/** Choices of which one is taken. */
export function radios(legend: string, name: string, choices: { value: string; label: string }[], chosen?: string): HTMLElement {
  const rows = choices.map(({ value, label }) =>
    h("label", {}, h("input", { type: "radio", name, value, required: true, checked: value === chosen }), label),
  );
  return h("fieldset", { class: "field" }, h("legend", {}, legend), ...rows);
}

/** A row of a name and a value, of which one may be told apart. */
export type Row = [name: string, value: string, look?: string];

export function rows(all: Row[]): HTMLElement {
  return h("dl", {}, ...all.flatMap(([name, value, look]) => [h("dt", { class: look }, name), h("dd", { class: look }, value)]));
}

/** Links to the pages before and after. `address` says where a page is. */
export function pager(current: number, last: number, address: (page: number) => string): HTMLElement | undefined {
  if (last <= 1) return undefined;
  const link = (page: number, label: string) => (page >= 1 && page <= last ? h("a", { class: "button quiet", href: address(page) }, label) : undefined);
  return h("nav", { class: "pager", "aria-label": t.pages }, link(current - 1, t.back), h("span", {}, t.pageOf(current, last)), link(current + 1, t.more));
}
