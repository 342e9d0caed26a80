import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

function files(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

test("what was generated is what the generator makes of the present document; else `npm run generate` is due", () => {
  const folder = mkdtempSync(join(tmpdir(), "stoa-generated-"));
  try {
    execFileSync("npm", ["run", "--silent", "generate"], { env: { ...process.env, STOA_GENERATED: folder }, stdio: "pipe" });
    assert.deepEqual(files("src/generated"), files(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
