// How the page is laid out: an index of the operations beside Swagger UI's own parts, and a filter for both.

import { credentialsPanel } from "./credentials.js";
import { address, open } from "./links.js";

/** The plugin for Swagger UI; `layout: "ReferenceLayout"` uses it. */
export function layoutPlugin(options) {
  return (system) => {
    const { React } = system;
    const h = React.createElement;
    const Credentials = credentialsPanel(system, options);

    const Filter = () => {
      const field = React.useRef(null);
      React.useLayoutEffect(() => {
        const focus = (event) => {
          if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select")) return;
          event.preventDefault();
          field.current.focus();
        };
        document.addEventListener("keydown", focus);
        return () => document.removeEventListener("keydown", focus);
      }, []);
      const phrase = system.layoutSelectors.currentFilter();
      return h("search", { className: "filter" },
        h("label", { htmlFor: "filter", className: "visually-hidden" }, "Filter operations"),
        h("input", {
          id: "filter", ref: field, type: "search", placeholder: "Filter operations   /", autoComplete: "off", spellCheck: false,
          value: typeof phrase === "string" ? phrase : "", onChange: (event) => system.layoutActions.updateFilter(event.target.value),
        }));
    };

    const Index = ({ tagged }) =>
      h("nav", { className: "index", "aria-label": "Operations" },
        tagged.entrySeq().map(([tag, group]) =>
          h("div", { key: tag },
            h("h2", null, tag),
            h("ul", null, group.get("operations").map((entry) => {
              const [path, method, id] = [entry.get("path"), entry.get("method"), entry.getIn(["operation", "operationId"]) ?? entry.get("id")];
              return h("li", { key: entry.get("id") },
                h("a", { href: address(tag, id), onClick: (event) => follow(event, system, tag, id) },
                  h("span", { className: `method method-${method}` }, method),
                  h("span", { className: "index-path" }, broken(h, path))));
            })))));

    const ReferenceLayout = () => {
      const part = (name) => system.getComponent(name, true);
      const [SvgAssets, Errors, Info, Operations, Models] = ["SvgAssets", "errors", "InfoContainer", "operations", "Models"].map(part);
      const tagged = system.specSelectors.taggedOperations();
      return h("div", { className: "swagger-ui reference" },
        h(SvgAssets),
        h("aside", null, h(Filter), h(Index, { tagged })),
        h("div", { className: "content" },
          h(Errors), h(Info), h(Credentials),
          h("main", { id: "operations", tabIndex: -1 },
            tagged.size > 0 ? h(Operations) : h("p", { className: "nothing-found", role: "status" }, "No operation matches the filter."),
            h(Models))));
    };

    return { components: { ReferenceLayout }, fn: { opsFilter } };
  };
}

/** Keeps the operations that contain every word of the phrase in their method, path, names, texts or required ability. */
function opsFilter(tagged, phrase) {
  const words = String(phrase ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return tagged
    .map((group, tag) => group.update("operations", (operations) => operations.filter((entry) => {
      const operation = entry.get("operation");
      const text = [tag, entry.get("method"), entry.get("path"), ...["operationId", "summary", "description", "x-required-ability", "x-module"].map((key) => operation.get(key))]
        .filter(Boolean).join(" ").toLowerCase();
      return words.every((word) => text.includes(word));
    })))
    .filter((group) => group.get("operations").size > 0);
}

/** Follows a link of the index, unless the reader wants it elsewhere, such as in a new tab. */
function follow(event, system, tag, id) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open(system, tag, id);
}

/** A path that may break before each slash. */
function broken(h, path) {
  return path.split(/(?=\/)/).flatMap((segment, index) => (index === 0 ? [segment] : [h("wbr", { key: index }), segment]));
}
