import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { customer, url } from "./live.js";

const program = "test/build/readme.mts";

test("the snippets of the README are one program that is right about types and runs", () => {
  const page = readFileSync("README.md", "utf8");
  const snippets = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet]) => snippet);
  const text = snippets.join("\n").replaceAll("http://127.0.0.1:8080", url).replace('"…"', JSON.stringify(customer.password));
  writeFileSync(program, text.replace("demo@stoa.example", customer.email));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, types: ["node"], rootDir: "test/build" };
  const compiled = ts.createProgram([program], options);
  const problems = [...ts.getPreEmitDiagnostics(compiled), ...compiled.emit().diagnostics];
  assert.deepEqual(problems.map(({ messageText }) => messageText), []);
  const said = execFileSync("node", [program.replace(".mts", ".mjs")], { encoding: "utf8", stdio: "pipe" });
  assert.match(said, /Pottering Apron €52\.00\n€52\.00\n.* false\n€\S+ true\nThe cart is empty\nThank you\n422 validation_error/);
});
