// What Stoa adds to an opened operation: what it requires, which errors it answers, and a curl line that follows the fields.

import { complete } from "./credentials.js";

/** The plugin for Swagger UI. */
export function operationPlugin({ cartToken, isCartRequest }) {
  return (system) => {
    const { React } = system;
    const h = React.createElement;

    const Facts = ({ operation }) => {
      const ability = operation.get("x-required-ability");
      const module = operation.get("x-module");
      const errors = errorCodes(operation);
      if (!ability && !module && errors.length === 0) return null;
      return h("dl", { className: "facts" },
        ability && fact(h, "Requires", h("span", null, "an access token with the ability ", h("code", null, ability), ", or ", h("code", null, "*"))),
        module && fact(h, "Module", h("code", null, module)),
        errors.length > 0 && fact(h, "Errors", errors.map(({ status, codes }) =>
          h("span", { className: "error-code", key: status }, status, codes.map((code) => h("code", { key: code }, code))))));
    };

    const Curl = ({ path, method }) => {
      const [, refresh] = React.useReducer((count) => count + 1, 0);
      React.useEffect(() => cartToken.onChange(refresh), []);
      const CopyButton = system.getComponent("CopyToClipboardBtn");
      const line = curlLine(system, path, method, (request) => complete(request, cartToken, isCartRequest));
      return h("div", { className: "curl-line" },
        h("h4", null, "curl"),
        h("pre", { tabIndex: 0, "aria-label": "curl line of this request" }, h("code", null, line)),
        h(CopyButton, { textToCopy: line, getComponent: system.getComponent }));
    };

    const withFacts = (Parameters) => (props) =>
      h(React.Fragment, null,
        h(Facts, { operation: props.operation }),
        h(Parameters, props),
        h(Curl, { path: props.pathMethod[0], method: props.pathMethod[1] }));

    const TokenMark = ({ isAuthorized }) =>
      h("span", { className: isAuthorized ? "token-mark has-token" : "token-mark", title: isAuthorized ? "The access token is sent." : "Takes an access token." }, "token");

    return {
      wrapComponents: {
        parameters: withFacts,
        authorizeOperationBtn: () => TokenMark,
        // The console is always on, and the line above the button is the one that was sent.
        TryItOutButton: () => () => null,
        curl: () => () => null,
      },
    };
  };
}

function fact(h, name, value) {
  return h("div", { key: name }, h("dt", null, name), h("dd", null, value));
}

/** The error codes that the examples of an operation's answers show, by status. */
function errorCodes(operation) {
  const responses = operation.get("responses")?.toJS() ?? {};
  return Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(([status, response]) => {
      const content = response.content?.["application/json"] ?? {};
      const examples = [content.example, ...Object.values(content.examples ?? {}).map((example) => example?.value)];
      return { status, codes: [...new Set(examples.map((example) => example?.code).filter(Boolean))] };
    });
}

const converted = new WeakMap();

/** The same object for the same document: typing in a field must not convert it anew. */
function plain(immutable) {
  if (!converted.has(immutable)) converted.set(immutable, immutable.toJS());
  return converted.get(immutable);
}

/** The curl line of an operation as its fields stand; a required one that is empty appears as `{name}`. */
function curlLine(system, path, method, finish) {
  const { fn, Im, specSelectors, oas3Selectors, authSelectors } = system;
  const spec = plain(specSelectors.specJsonWithResolvedSubtrees());
  const operation = spec.paths[path][method];
  const parameters = specSelectors.parameterValues([path, method]).toJS();
  const missing = [...(spec.paths[path].parameters ?? []), ...(operation.parameters ?? [])].filter(
    (parameter) => parameter.required && ["", null, undefined].includes(parameters[`${parameter.in}.${parameter.name}`]),
  );
  missing.forEach((parameter) => { parameters[`${parameter.in}.${parameter.name}`] = `{${parameter.name}}`; });

  const body = oas3Selectors.requestBodyValue(path, method);
  try {
    const request = fn.buildRequest({
      spec, pathName: path, method, operationId: fn.opId(operation, path, method), parameters,
      server: oas3Selectors.selectedServer(), contextUrl: location.href,
      requestContentType: oas3Selectors.requestContentType(path, method),
      responseContentType: oas3Selectors.responseContentType(path, method),
      requestBody: typeof body === "string" ? parsed(body) : body?.toJS?.() ?? body,
      securities: { authorized: authSelectors.authorized()?.toJS(), definitions: specSelectors.securityDefinitions()?.toJS(), specSecurity: specSelectors.security()?.toJS() },
    });
    const completed = finish(request);
    // A stand-in shows where the token goes while none is entered; the console itself then sends none.
    if (needsToken(operation, spec) && !Object.keys(completed.headers).some((name) => name.toLowerCase() === "authorization")) {
      completed.headers.Authorization = "Bearer <ACCESS_TOKEN>";
    }
    const line = fn.requestSnippetGenerator_curl_bash(Im.fromJS(completed));
    return missing.reduce((text, { name }) => text.replaceAll(encodeURIComponent(`{${name}}`), `{${name}}`), line);
  } catch (error) {
    return `# ${error.message}`;
  }
}

/** Whether no way of calling the operation does without an access token. */
function needsToken(operation, spec) {
  const requirements = operation.security ?? spec.security ?? [];
  const isToken = (name) => spec.components?.securitySchemes?.[name]?.type === "http";
  return requirements.length > 0 && requirements.every((requirement) => Object.keys(requirement).some(isToken));
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
