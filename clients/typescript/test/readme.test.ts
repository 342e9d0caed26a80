import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { customer, url } from "./live.js";

const snippets = (page: string) => [...readFileSync(page, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet]) => snippet);

/** Compiles a program, and gives what is wrong with it. */
function compile(program: string, text: string) {
  writeFileSync(program, text);
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, strict: true, types: ["node"], rootDir: "test/build" };
  const compiled = ts.createProgram([program], options);
  return [...ts.getPreEmitDiagnostics(compiled), ...compiled.emit().diagnostics].map(({ messageText }) => messageText);
}

test("the snippets of the README are one program that is right about types and runs", () => {
  const program = "test/build/readme.mts";
  const text = snippets("README.md").join("\n").replaceAll("http://127.0.0.1:8080", url).replace('"…"', JSON.stringify(customer.password));
  assert.deepEqual(compile(program, text.replace("demo@stoa.example", customer.email)), []);
  const said = execFileSync("node", [program.replace(".mts", ".mjs")], { encoding: "utf8", stdio: "pipe" });
  assert.match(said, /Pottering Apron €52\.00\n€52\.00\n.* false\n€\S+ true\nThe cart is empty\nThank you\n422 validation_error/);
});

test("what the page about storefronts in practice shows is right about types", () => {
  const shown = snippets("../../docs/storefront/practice.md");
  assert.notEqual(shown.length, 0);
  const given = `import { browserStore, Shop, type Store } from "@stoa-shop/client";
declare const url: string, session: string, address: string;
declare function storeOf(session: string): Store;`;
  assert.deepEqual(compile("test/build/practice.mts", [given, ...shown].join("\n")), []);
});
