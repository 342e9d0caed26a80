// What is generated, from the document that the shop's own tests hold it to.
import { readFileSync } from "node:fs";

const published = new URL(
  "../../host/tests/snapshots/contract_snapshots__the_document_is_the_one_that_was_published.snap",
  import.meta.url,
);

/** A snapshot begins with where it comes from, between two lines of dashes. */
const document = readFileSync(published, "utf8").split("\n---\n").slice(1).join("\n---\n");

export default {
  input: JSON.parse(document),
  output: { path: process.env.STOA_GENERATED ?? "src/generated", clean: true, module: { extension: ".js" } },
  logs: { level: "error" },
  plugins: [
    "@hey-api/typescript",
    { name: "@hey-api/sdk", auth: false, responseStyle: "data", operations: { strategy: "single", containerName: "Operations" } },
    { name: "@hey-api/client-fetch", baseUrl: false, throwOnError: true },
  ],
};
