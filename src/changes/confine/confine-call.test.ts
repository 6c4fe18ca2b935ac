import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { compileRules } from "../../policy/index.ts";
import { Sandboxes } from "../../sandbox/index.ts";
import { openConfined } from "./confine-call.ts";

const ended = (code: number) => ({ code, signal: null, stderr: "", cwd: "/project" });

test("a refusal is reported where one of several programs failed, and not where all went well", async () => {
  const memory = memoryHost();
  const capabilities = { ...memory.info.capabilities, confinement: true };
  const host = { ...memory, info: { ...memory.info, capabilities } };
  const sandboxes = new Sandboxes({
    require: "off",
    network: { kind: "none" },
    workspace: "/project",
    home: "/home/user",
    writable: [],
    statusDirectories: [],
    probeFile: "/data/sandbox.json",
  });
  const real = sandboxes.open.bind(sandboxes);
  sandboxes.open = async (wishes) => ({
    ...(await real(wishes)),
    refusedActions: () => [{ kind: "write", path: "/etc/x", reason: "It is outside." }],
  });
  const open = openConfined({
    host,
    judge: () => ({ rules: compileRules([], { roots: [] }).rules, mode: "default", trusted: true }),
    require: "best-effort",
    sandboxes: async () => sandboxes,
    prepareCommands: async () => undefined,
  });
  const notesAfter = async (...codes: readonly number[]) =>
    (await (await open({ effects: [] })).close(codes.map(ended))).notes;

  expect(await notesAfter(0, 1)).toEqual([
    expect.stringContaining("The sandbox kept /etc/x from being changed."),
  ]);
  expect(await notesAfter(0, 0)).toEqual([]);
});
