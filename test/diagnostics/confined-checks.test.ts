import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { kitFolder } from "../support/kit-folder.ts";
import { fakeServer } from "./checks-world.ts";

const { at, open } = kitFolder(
  "confined-checks-",
  (place) => {
    mkdirSync(place("work"));
    writeFileSync(place("work/a.txt"), "BAD\n");
  },
  { mode: "bypassPermissions", trust: true },
);

/** Appends to files of the workspace and names the results as problems of the checked file. */
const tries = `
  for file in new.txt a.txt; do
    if (echo x >> "$file") 2> /dev/null; then result=written; else result=refused; fi
    echo "$1:1:1: error: $file was $result"
  done`;

async function serverReport(driver: string): Promise<string> {
  const command = fakeServer(`writes:${at("work/new.txt")},${at("work/a.txt")}`);
  const fake = { command, files: ["*.txt"] };
  const kit = await open({ settings: { diagnostics: { servers: { fake } } }, sandbox: { driver } });
  const input = { operation: "diagnostics", file_path: "a.txt" };
  return (await kit.call({ name: "LSP", input })).text;
}

async function checkerReport(driver: string): Promise<string> {
  const command = ["/bin/sh", "-c", tries, "sh", "{files}"];
  const checkers = [{ name: "tries", command, files: ["b*.txt"] }];
  const kit = await open({ settings: { diagnostics: { checkers } }, sandbox: { driver } });
  // Where a busy machine does not check a file in time, the answer has no report.
  for (let time = 1; ; time += 1) {
    const input = { file_path: `b${time}.txt`, content: "one\n" };
    const { text } = await kit.call({ name: "Write", input });
    if (text.includes("error:") || time === 9) return text;
  }
}

for (const name of ["bwrap", "landlock"] as const) {
  const driver = drivers.find((each) => each.name === name);
  const result = driver === undefined ? undefined : await probeDriver(driver);
  const reason = result?.works === true ? "" : (result?.missing?.reason ?? "its probe failed");
  describe.skipIf(reason !== "")(`confined by ${name}${reason === "" ? "" : `: ${reason}`}`, () => {
    test("a language server cannot write into the workspace", async () => {
      const text = await serverReport(name);

      expect(text).toMatch(/bad: BAD (?:EROFS|EACCES|EPERM) (?:EROFS|EACCES|EPERM)/u);
      expect(existsSync(at("work/new.txt"))).toBe(false);
      expect(readFileSync(at("work/a.txt"), "utf8")).toBe("BAD\n");
    });

    test("a checker cannot write into the workspace", async () => {
      const text = await checkerReport(name);

      expect(text).toContain("new.txt was refused");
      expect(text).toContain("a.txt was refused");
      expect(existsSync(at("work/new.txt"))).toBe(false);
      expect(readFileSync(at("work/a.txt"), "utf8")).toBe("BAD\n");
    });
  });
}

test("without a sandbox, in a trusted workspace, the same attempts succeed", async () => {
  expect(await serverReport("none")).toContain("bad: BAD written written");
  expect(await checkerReport("none")).toContain("a.txt was written");
});
