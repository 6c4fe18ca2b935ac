import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { moduleFlags } from "../../test/support/from-source.ts";

const source = new URL("index.ts", import.meta.url).href;

// Importing `node:http` evaluates getters that load all of `fetch`: a dozen megabytes.
test("what confines is loaded without what only a list of hosts needs", () => {
  const program = `
    await import(${JSON.stringify(source)});
    console.log(process.moduleLoadList.filter((name) => /undici|NativeModule http$/.test(name)).join());
  `;

  expect(execFileSync(process.execPath, [...moduleFlags, program], { encoding: "utf8" })).toBe(
    "\n",
  );
}, 60_000);
