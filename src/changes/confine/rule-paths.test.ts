import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { compileRules } from "../../policy/index.ts";
import { ruledPaths } from "./rule-paths.ts";

test("a path that a rule denies by its whole name is hidden or kept, and the root never is", async () => {
  const source = {
    scope: "option",
    list: "deny",
    base: "/ws",
    cwd: "/ws",
    home: "/home/u",
  } as const;
  const { rules } = compileRules([{ ...source, rules: ["Read(//ws/a)", "Edit(//ws/b)"] }], {
    roots: ["/ws"],
  });

  const ruled = await ruledPaths(memoryHost())({ rules, mode: "default", trusted: true });

  expect(ruled.hide).toContain("/ws/a");
  expect(ruled.keep).toContain("/ws/b");
  expect([...ruled.hide, ...ruled.keep]).not.toContain("/");
});
