// Addresses: to type, to choose from those that are saved, and to read.
import type { Address, AddressRequest, PostalAddress } from "@stoa-shop/client";
import { field, h, input } from "./dom.js";
import { countryName } from "./shop.js";
import { language, optional, t } from "./texts.js";

const FIELDS: [keyof AddressRequest & string, string, autocomplete: string, isOptional?: true][] = [
  ["name", t.name, "name"],
  ["company", optional(t.company), "organization", true],
  ["line1", t.street, "address-line1"],
  ["line2", optional(t.street2), "address-line2", true],
  ["postal_code", t.postalCode, "postal-code"],
  ["city", t.city, "address-level2"],
  ["region", optional(t.region), "address-level1", true],
];

/** The fields of an address. `prefix` stands before their names, such as `shipping.`. */
export function addressFields(prefix: "" | "shipping.", codes: string[], country: string | undefined): HTMLElement {
  const kind = prefix ? "shipping" : "billing";
  const controls = FIELDS.map(([name, label, autocomplete, isOptional]) =>
    field(label, input(prefix + name, { autocomplete: `${kind} ${autocomplete}`, required: !isOptional })),
  );
  const sorted = codes.map((code) => ({ code, name: countryName(code) })).sort((a, b) => a.name.localeCompare(b.name, language));
  const options = sorted.map(({ code, name }) => h("option", { value: code, selected: code === country }, name));
  const name = `${prefix}country`;
  const select = h("select", { id: name, name, required: true, autocomplete: `${kind} country` }, h("option", { value: "" }, t.pleaseChoose), ...options);
  return h("div", { class: "address" }, ...controls, field(t.country, select));
}

/** The address that was typed. */
export function addressFrom(value: (name: string) => string, prefix: "" | "shipping."): AddressRequest {
  const of = (name: string) => value(prefix + name);
  const optional = { company: of("company") || null, line2: of("line2") || null, region: of("region") || null };
  return { name: of("name"), line1: of("line1"), postal_code: of("postal_code"), city: of("city"), country: of("country"), ...optional };
}

/** A list of saved addresses. Whoever chooses one finds it in the fields, and may still change it. */
export function savedAddresses(saved: Address[], fill: (address: Address) => void): HTMLElement | undefined {
  const whole = saved.filter(({ line1 }) => line1);
  if (whole.length === 0) return undefined;
  const options = whole.map((address, index) => h("option", { value: index }, address.label ?? [address.name, address.line1, address.city].join(", ")));
  const select = h("select", { id: "saved" }, h("option", { value: "" }, t.pleaseChoose), ...options);
  select.addEventListener("change", () => {
    const chosen = whole[Number(select.value)];
    if (select.value && chosen) fill(chosen);
  });
  return field(t.savedAddress, select);
}

/** The country, where it is certain: the only one, or the only one that the browser's languages name. Browsers say `en-US` wherever they are. */
export function likelyCountry(codes: string[]): string | undefined {
  if (codes.length === 1) return codes[0];
  const named = navigator.languages.filter((tag) => tag !== "en-US").map((tag) => new Intl.Locale(tag).region);
  const regions = [...new Set(named.filter((region) => region !== undefined))];
  return regions.length === 1 ? codes.find((code) => code === regions[0]) : undefined;
}

/** An address to read. */
export function addressBlock(title: string, { name, company, line1, line2, postal_code, city, region, country }: PostalAddress): HTMLElement {
  const lines = [name, company, line1, line2, [postal_code, city, region].filter(Boolean).join(" "), countryName(country)];
  const shown = lines.filter((line): line is string => !!line).flatMap((line) => [line, h("br")]);
  return h("div", {}, h("h2", {}, title), h("address", {}, ...shown));
}
