import { expect, test } from "vitest";
import { ToolError, type Grant } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import { CallChanges } from "./call-changes.ts";
import type { CommandOverlays, OverlayMode } from "./command-overlays.ts";

const span = { start: 0, end: 0 };
const grant: Grant = {
  effects: [{ kind: "execute", argv: ["x"], assigns: [], via: [], consequences: "open", span }],
  exclusions: [],
  excludes: () => undefined,
};

function judge(): never {
  throw new Error("There is nothing to judge.");
}

/** The changes of a call where overlays fail although they were found to work. */
function changes(mode: OverlayMode): CallChanges {
  const overlays: CommandOverlays = {
    mode,
    roots: [],
    through: [],
    unavailable: async () => undefined,
    missing: async () => undefined,
    prepare: async () => await Promise.reject(new ToolError("UNAVAILABLE", "No mount is left.")),
    held: async () => undefined,
    covers: () => true,
    staged: async () => () => true,
    recoverBy: () => undefined,
    uncovered: async () => [],
    dispose: async () => undefined,
  };
  const journal = {
    apply: async () => await Promise.resolve(undefined),
    watch: async () => undefined,
    unkept: async () => [],
    disown: () => undefined,
  };
  return new CallChanges(
    { overlays, journal, judge, host: memoryHost(), roots: ["/work"], cwd: "/work" },
    {
      callId: "c",
      tool: "T",
      grant,
      sessionId: undefined,
      agentId: undefined,
      approve: async () => undefined,
    },
  );
}

test("an overlay that cannot be had stops no command, and the outcome says so", async () => {
  const call = changes("undo");

  expect(await call.confinement({}, undefined)).toBeUndefined();
  expect((await call.account([])).facts).toEqual({ overlay: "none", because: "No mount is left." });
});

test("where a person is to see the changes first, it does", async () => {
  await expect(changes("preview").confinement({}, undefined)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});
