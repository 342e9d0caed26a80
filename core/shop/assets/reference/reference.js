// Starts the API reference: reads the OpenAPI document of this shop and hands it to Swagger UI.

import { CartToken, complete, learn } from "./credentials.js";
import { prepare } from "./document.js";
import { layoutPlugin } from "./layout.js";
import { linksPlugin, openHash } from "./links.js";
import { operationPlugin } from "./operation.js";

const root = document.getElementById("reference");

async function readDocument(url) {
  const response = await fetch(url, { credentials: "omit", headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${url.pathname} answered with status ${response.status}`);
  return response.json();
}

function start(source, url) {
  const { spec, bearer, isCartRequest } = prepare(source, url);
  const cartToken = new CartToken();
  const ui = SwaggerUIBundle({
    spec,
    domNode: root,
    layout: "ReferenceLayout",
    plugins: [linksPlugin, layoutPlugin({ bearer, cartToken }), operationPlugin({ cartToken, isCartRequest })],
    filter: true,
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 5,
    requestInterceptor: (request) => complete(request, cartToken, isCartRequest),
    responseInterceptor: (response) => learn(response, cartToken, (token) => ui.preauthorizeApiKey(bearer, token)),
  });
  // Swagger UI writes the address but does not follow it: back, forward, and an address typed in.
  addEventListener("popstate", () => openHash(ui.getSystem(), decodeURIComponent(location.hash)));
}

try {
  const url = new URL(root.dataset.document, location.href);
  start(await readDocument(url), url);
} catch (error) {
  const message = document.createElement("p");
  message.className = "failure";
  message.setAttribute("role", "alert");
  message.textContent = `The API reference cannot be shown: ${error.message}. Reload the page to try again.`;
  root.replaceChildren(message);
}
