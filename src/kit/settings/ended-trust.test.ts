// An open kit after the user has ended the trust of its workspace.
import { describe, expect, test } from "vitest";
import { simpleTool, testKit } from "../../../test/support/kit.ts";
import type { HaftEvent } from "../../core/index.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../index.ts";

const projectFile = "/project/.haft/settings.json";
const opening = simpleTool("Opening", () => ({ content: "ran" }), {
  touches: ["unknown"],
  effects: () => [{ kind: "unknown", because: "a test", origin: "Opening" }],
});
type SettingsChange = Extract<HaftEvent, { type: "settings-change" }>;

async function statusOf(kit: Kit): Promise<string> {
  return (await kit.call({ name: "Opening" })).status;
}

interface Ended {
  readonly kit: Kit;
  readonly changes: readonly SettingsChange[];
  readonly revoke: () => Promise<void>;
  readonly accept: () => Promise<void>;
}

/** Opens a kit in a trusted workspace with these settings. */
async function trusting(
  settings: Readonly<Record<string, unknown>>,
  options: ToolkitOptions = {},
): Promise<Ended> {
  const files = { [projectFile]: JSON.stringify(settings) };
  const { host } = await testKit({}, { root: "/project", home: "/home/user", files });
  const earlier = await createToolkit({ host, settings: "load" });
  await (await earlier.workspace.trust()).accept();
  const kit = await createToolkit({
    host,
    settings: "load",
    tools: { extra: [opening] },
    onAsk: async ({ kind }) =>
      kind === "question"
        ? { kind: "answer", choices: ["Use the new settings"] }
        : { kind: kind === "plan" ? "once" : "deny" },
    ...options,
  });
  const changes: SettingsChange[] = [];
  kit.events.subscribe((event) => {
    if (event.type === "settings-change") changes.push(event);
  });
  return {
    kit,
    changes,
    revoke: async () => await (await earlier.workspace.trust()).revoke(),
    accept: async () => await (await earlier.workspace.trust()).accept(),
  };
}

describe("when the user ends the trust of the workspace", () => {
  test.each([true, false])(
    "its allow rules stop counting, and its deny rules stay, after calls: %s",
    async (isCalled) => {
      const rules = { allow: ["Opening"], deny: ["Read(secret.txt)"] };
      const { kit, changes, revoke } = await trusting({ permissions: rules });
      const before = isCalled ? await statusOf(kit) : "ok";
      await revoke();

      const after = await statusOf(kit);
      const read = await kit.call({ name: "Read", input: { file_path: "secret.txt" } });

      expect([before, after, read.error?.code]).toEqual(["ok", "denied", "PERMISSION_DENIED"]);
      expect(changes).toMatchObject([
        {
          result: "applied",
          changes: ["1 allow rule of the workspace (the workspace is not trusted any more)"],
        },
      ]);
    },
  );

  test("a derived kit and an agent's call that waits for no question follow", async () => {
    const { kit, revoke } = await trusting({ permissions: { allow: ["Opening"] } });
    await using derived = kit.derive({});
    const before = (await derived.call({ name: "Opening" })).status;
    await revoke();

    const after = (await derived.call({ name: "Opening" }, { depth: 1 })).status;

    expect([before, after]).toEqual(["ok", "denied"]);
  });

  test("an explanation and a preview follow without a question", async () => {
    const { kit, revoke } = await trusting({ permissions: { allow: ["Opening"] } });
    const before = (await kit.explain({ name: "Opening" })).decision?.kind;
    await revoke();

    const explained = (await kit.explain({ name: "Opening" })).decision?.kind;
    const previewed = (await kit.preview({ name: "Opening" })).decision?.kind;

    expect([before, explained, previewed]).toEqual(["allow", "ask", "ask"]);
  });

  test("its rules count again after trust and a yes", async () => {
    const { kit, revoke, accept } = await trusting({ permissions: { allow: ["Opening"] } });
    await revoke();
    const ended = await statusOf(kit);
    await accept();

    expect([ended, await statusOf(kit)]).toEqual(["denied", "ok"]);
  });

  test.each([
    ["acceptEdits", {}, "default"],
    ["acceptEdits", { mode: "acceptEdits" }, "acceptEdits"],
    ["plan", {}, "plan"],
  ] as const)("its mode %s, with the option %o, becomes %s", async (mode, options, expected) => {
    const { kit, revoke } = await trusting({ permissions: { defaultMode: mode } }, options);
    await revoke();
    await statusOf(kit);

    expect(kit.mode).toBe(expected);
  });

  test("plan mode does not return to its mode", async () => {
    const { kit, revoke } = await trusting({ permissions: { defaultMode: "acceptEdits" } });
    kit.setMode("plan");
    await revoke();
    await statusOf(kit);
    const during = kit.mode;
    await kit.call({ name: "ExitPlanMode", input: { plan: "Test" } });

    expect([during, kit.mode]).toEqual(["plan", "default"]);
  });

  test("every call is asked about where it loosened what stays until the end", async () => {
    const loose = { permissions: { additionalDirectories: ["/project"] }, maxChars: 1_000_000 };
    const { kit, changes, revoke } = await trusting(loose);
    const read = async () => await kit.call({ name: "ListDir", input: { path: "." } });
    const before = (await read()).status;
    await revoke();

    const after = await read();

    expect([before, after.status]).toEqual(["ok", "denied"]);
    expect(changes[0]?.changes).toEqual([
      expect.stringMatching(/^additionalDirectories: until the next start/u),
      expect.stringMatching(/^maxChars: until the next start/u),
    ]);
  });
});
