// What the console needs to know about the OpenAPI document, and the document as the console can use it.

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options"];
const CART_TOKEN = "x-cart-token";

/** Every operation of the document as `{ path, method, operation }`. */
function operations(spec) {
  return Object.entries(spec.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })),
  );
}

function resolve(spec, value) {
  if (!value?.$ref?.startsWith("#/")) return value;
  return value.$ref.slice(2).split("/").reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], spec);
}

function isCartScheme(scheme) {
  return scheme?.type === "apiKey" && scheme.in === "header" && scheme.name?.toLowerCase() === CART_TOKEN;
}

function takesCartToken(spec, path, operation) {
  const parameters = [...(spec.paths[path].parameters ?? []), ...(operation.parameters ?? [])];
  const schemes = (operation.security ?? spec.security ?? []).flatMap((requirement) => Object.keys(requirement));
  return (
    parameters.map((parameter) => resolve(spec, parameter)).some((parameter) => parameter?.in === "header" && parameter.name?.toLowerCase() === CART_TOKEN) ||
    schemes.some((name) => isCartScheme(spec.components?.securitySchemes?.[name]))
  );
}

/** Matches the URL paths that a path template stands for. */
function pattern(base, template) {
  const escaped = (base + template).split(/\{[^}]*\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^/]+")}$`);
}

/** Empties a field that may stay empty: the console would send its example with every call. The description tells it instead. */
function unfill(parameter) {
  const example = parameter?.example ?? parameter?.schema?.example;
  if (example === undefined || parameter.required) return;
  parameter.description = `${parameter.description ?? ""} For example \`${example}\`.`.trim();
  delete parameter.example;
  delete parameter.schema?.example;
}

/**
 * Prepares a document for the console: requests go to the origin of this page, since the Content-Security-Policy allows no other, and schemes that a page cannot or
 * should not send (session cookies; the cart token, which the console keeps by itself) are no longer asked for. Optional parameters are empty, and tags without an
 * operation are left out.
 *
 * Returns the changed document as `spec`, the name of its `bearer` scheme or null, and `isCartRequest(method, url)`.
 */
export function prepare(source, documentUrl) {
  const base = new URL(source.servers?.[0]?.url ?? ".", documentUrl).pathname.replace(/\/+$/, "");
  const cart = operations(source)
    .filter(({ path, operation }) => takesCartToken(source, path, operation))
    .map(({ path, method }) => ({ method, pattern: pattern(base, path) }));

  const spec = structuredClone(source);
  const used = new Set(operations(spec).flatMap(({ operation }) => operation.tags ?? []));
  spec.tags = spec.tags?.filter((tag) => used.has(tag.name));
  spec.servers = [{ url: location.origin + base }];
  // Paths beside the API have a server of their own.
  Object.values(spec.paths ?? {}).flatMap((item) => item.servers ?? []).forEach((server) => {
    server.url = location.origin + new URL(server.url, documentUrl).pathname.replace(/\/+$/, "");
  });
  operations(spec).flatMap(({ path, operation }) => [...(spec.paths[path].parameters ?? []), ...(operation.parameters ?? [])])
    .forEach((parameter) => unfill(resolve(spec, parameter)));
  const schemes = spec.components?.securitySchemes ?? {};
  const removed = Object.keys(schemes).filter((name) => schemes[name].in === "cookie" || isCartScheme(schemes[name]));
  const strip = (holder) => {
    if (!holder.security) return;
    const kept = holder.security.filter((requirement) => !Object.keys(requirement).some((name) => schemes[name]?.in === "cookie"));
    holder.security = kept.map((requirement) => Object.fromEntries(Object.entries(requirement).filter(([name]) => !removed.includes(name))));
  };
  strip(spec);
  operations(spec).forEach(({ operation }) => strip(operation));
  removed.forEach((name) => delete schemes[name]);

  const bearer = Object.keys(schemes).find((name) => schemes[name].type === "http" && schemes[name].scheme?.toLowerCase() === "bearer") ?? null;
  const isCartRequest = (method, url) => {
    const { pathname } = new URL(url, location.href);
    return cart.some((entry) => entry.method === method.toLowerCase() && entry.pattern.test(pathname));
  };
  return { spec, bearer, isCartRequest };
}
