import { expect, test } from "vitest";
import { ToolError, type Effect, type Grant, type StagedChange } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import type { Journal } from "../journal/index.ts";
import { compileRules, type WrittenBy } from "../policy/index.ts";
import { OverlayChanges } from "./collect.ts";
import type { OverlayMode } from "./predict/overlay-availability.ts";
import type { CommandOverlays } from "./predict/command-overlays.ts";

const span = { start: 0, end: 0 };
const grant: Grant = {
  effects: [{ kind: "execute", argv: ["x"], assigns: [], via: [], consequences: "open", span }],
  exclusions: [],
  excludes: () => undefined,
};

function judge(): never {
  throw new Error("There is nothing to judge.");
}

const { rules } = compileRules([], { roots: [] });

/** Rules of a user who allowed everything. */
function byPerson(): WrittenBy {
  return { rules, mode: "bypassPermissions", trusted: true };
}

const gone: StagedChange = { path: "/work/gone", to: { kind: "absent" } };

/** Changes of a call whose overlays fail although the probe found them to work. */
function changes(
  mode: OverlayMode,
  own: {
    readonly overlays?: Partial<CommandOverlays>;
    readonly apply?: Journal["apply"];
    readonly effects?: readonly Effect[];
  } = {},
): OverlayChanges {
  const overlays: CommandOverlays = {
    mode,
    roots: [],
    passthrough: [],
    unavailable: async () => undefined,
    missing: async () => undefined,
    prepare: async () =>
      await Promise.reject(new ToolError("UNAVAILABLE", "No mount is left.", { retryable: false })),
    locked: async () => [],
    covers: () => true,
    staged: async () => () => true,
    recoverBy: () => undefined,
    uncovered: async () => [],
    dispose: async () => undefined,
    ...own.overlays,
  };
  const journal = {
    apply: own.apply ?? (async () => await Promise.resolve(undefined)),
    watch: async () => undefined,
    unkept: async () => [],
    disown: () => undefined,
    yield: () => undefined,
    watchLate: () => async () => undefined,
    settle: async () => undefined,
  };
  return new OverlayChanges(
    {
      overlays,
      journal,
      judge: own.apply === undefined ? judge : byPerson,
      host: memoryHost(),
      roots: ["/work"],
      cwd: "/work",
    },
    {
      callId: "c",
      tool: "T",
      grant: { ...grant, effects: own.effects ?? grant.effects },
      sessionId: undefined,
      agentId: undefined,
      approve: async () => undefined,
    },
  );
}

test.each([
  new ToolError("NO_SPACE", "Full."),
  new ToolError("ACCESS_DENIED", "Read-only."),
  new ToolError("UNAVAILABLE", "Too many open files."),
  new Error("It broke."),
])("a program that was to run on an overlay does not start without one: %s", async (error) => {
  let tries = 0;
  const prepare: CommandOverlays["prepare"] = async () => {
    tries += 1;
    throw error;
  };
  const unavailable = async (): Promise<string | undefined> => {
    throw error;
  };

  for (const overlays of [{ prepare }, { unavailable }]) {
    const call = changes("undo", { overlays });
    await expect(call.confinement({}, undefined)).rejects.toBe(error);
    expect((await call.account([])).facts).toEqual({ overlay: "undo" });
  }
  expect(tries).toBe(2);
});

test("a machine without overlays stops no command, and the outcome says so", async () => {
  const call = changes("undo");

  expect(await call.confinement({}, undefined)).toBeUndefined();
  expect((await call.account([])).facts).toEqual({ overlay: "none", because: "No mount is left." });
});

const listed: Effect = {
  kind: "execute",
  argv: ["x"],
  assigns: [],
  via: [],
  consequences: "listed",
  span,
};
const writes = (path: string, scope: "file" | "tree", start: number): Effect => ({
  kind: "write",
  path,
  scope,
  change: "any",
  span: { start, end: start + 1 },
});

test.each([
  {
    effects: [listed, writes("/work/a", "file", 0)],
    because: "It does only what it says.",
  },
  {
    // One part may put a link there, which the other then follows.
    effects: [listed, writes("/work/tree", "tree", 0), writes("/work/tree/a", "file", 5)],
    because: "No mount is left.",
  },
])(
  "a command with listed effects runs on the real files: $because",
  async ({ effects, because }) => {
    const call = changes("undo", { effects });

    await call.confinement({}, undefined);

    expect((await call.account([])).facts).toMatchObject({ because });
  },
);

test("where a person is to see the changes first, it does", async () => {
  await expect(changes("preview").confinement({}, undefined)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});

const overlay = {
  confinement: { wrap: (): never => judge() },
  changes: async () => ({ since: 0, changes: [gone], refused: [], through: [] }),
  drop: async () => undefined,
};

test("a call that was stopped is over when what is on its way to its place has arrived, and that is its own", async () => {
  const arrived = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const order: string[] = [];
  const call = changes("undo", {
    overlays: {
      prepare: async () => overlay,
      staged: async () => {
        order.push("over");
        return () => true;
      },
    },
    apply: async (callId, _staged, { tool }) => {
      begun.resolve();
      await arrived.promise;
      order.push("arrived");
      const changed = [{ path: "/work/gone", change: "deleted" as const }];
      return { callId, tool, at: 0, state: "done", level: "full", skipped: [], changes: changed };
    },
  });
  const started = await call.confinement({}, undefined);
  const ended = started?.ended?.();
  await begun.promise;

  const account = call.account([]);
  arrived.resolve();

  expect((await account).undo).toEqual({ callId: "c", level: "full" });
  await ended;
  expect(order).toEqual(["arrived", "over"]);
});

test("what a program did that ends while the answer is made is a call of its own, and the answer is of the other", async () => {
  const late = Promise.withResolvers<() => Promise<unknown>>();
  const applied: string[] = [];
  const call = changes("undo", {
    overlays: {
      prepare: async () => overlay,
      staged: async () => {
        await (
          await late.promise
        )();
        return () => true;
      },
    },
    apply: async (callId, _staged, { tool }) => {
      applied.push(callId);
      const changed = [{ path: `/work/${applied.length}`, change: "deleted" as const }];
      const level = applied.length === 1 ? "full" : "partial";
      return { callId, tool, at: 0, state: "done", level, skipped: [], changes: changed };
    },
  });
  await (await call.confinement({}, undefined))?.ended?.();
  const second = await call.confinement({}, undefined);
  late.resolve(async () => second?.ended?.());

  const { undo, facts } = await call.account([]);

  expect(applied).toEqual(["c", "c-end"]);
  expect(undo).toEqual({ callId: "c", level: "full" });
  expect(facts).toMatchObject({ changed: 1 });
});
