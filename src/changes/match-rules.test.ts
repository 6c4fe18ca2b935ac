import { expect, test } from "vitest";
import { boundary } from "../../test/policy/policy-world.ts";
import type { Effect, StagedChange } from "../core/index.ts";
import { compileRules } from "../policy/index.ts";
import { askedChanges } from "./match-rules.ts";

const removed = (path: string): StagedChange => ({ path, to: { kind: "absent" } });
const writes = (path: string): Effect => ({ kind: "write", path, scope: "file", change: "any" });

test("a declared write answers for its own path, not for another that a rule names too", () => {
  const source = { scope: "option", base: "/ws", cwd: "/ws", home: "/home/u" } as const;
  const ask = { ...source, list: "ask", rules: ["Edit(/a)", "Edit(/b)"] } as const;
  const { rules } = compileRules([ask], { roots: ["/ws"] });
  const by = { rules, boundary, mode: "default", trusted: true } as const;
  const changes = ["/ws/a", "/ws/b", "/ws/c"].map(removed);

  expect(askedChanges(changes, [], by)).toEqual(["/ws/a", "/ws/b"]);
  expect(askedChanges(changes, [writes("/ws/a")], by)).toEqual(["/ws/b"]);
});
