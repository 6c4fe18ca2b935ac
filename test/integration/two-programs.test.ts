import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createToolkit, defineTool, ToolError, type ToolContext } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const at = temporaryFolder("two-programs");

/** Called after the end of each script. */
let between: () => Promise<void> = async () => undefined;

/** Runs one script after the other, each to its end. */
const scripts = defineTool({
  name: "Scripts",
  description: "Runs shell scripts, one after the other.",
  touches: ["execute", "unknown"],
  staged: "commands",
  input: {
    type: "object",
    properties: { scripts: { type: "array", items: { type: "string" } } },
    required: ["scripts"],
  },
  effects: () => [
    {
      kind: "execute",
      argv: ["/bin/sh"],
      assigns: [],
      via: [],
      consequences: "open",
      span: { start: 0, end: 0 },
    },
    { kind: "unknown", origin: "Scripts", because: "it runs scripts" },
  ],
  run: async (input: Readonly<Record<string, unknown>>, context: ToolContext) => {
    const texts = Array.isArray(input["scripts"]) ? input["scripts"].map(String) : [];
    for (const [index, text] of texts.entries()) {
      await runOne(`${context.callId}-${index}`, text, context);
      await between();
    }
    return { content: "done" };
  },
});

async function runOne(id: string, text: string, { host, cwd }: ToolContext): Promise<void> {
  await host.proc.start({ id, argv: ["/bin/sh", "-c", text], cwd });
  for await (const chunk of host.proc.output(id, 0)) if ("exit" in chunk) return;
}

test.skipIf(missing !== undefined)(
  `a call whose programs have an overlay each is one call, and goes as one${missing === undefined ? "" : ` (${missing.reason})`}`,
  async () => {
    mkdirSync(at("work"));
    const texts = (): readonly string[] =>
      ["a", "b"].map((name) => readFileSync(at(`work/${name}`), "utf8"));
    for (const name of ["a", "b"]) writeFileSync(at(`work/${name}`), "0");
    const kit = await createToolkit({
      workspace: at("work"),
      dataDirectory: at("data"),
      mode: "bypassPermissions",
      tools: { extra: [scripts] },
    });
    const input = { scripts: ["printf 1 > a", "cat a > b; printf 2 > a"] };

    const outcome = await kit.call({ id: "one", name: "Scripts", input });

    expect(outcome.text).toBe("done");
    expect(outcome).toMatchObject({
      status: "ok",
      undo: { callId: "one", level: "full" },
      metadata: { sandbox: { undo: "full", files: { changed: 2 } } },
    });
    expect(texts()).toEqual(["2", "1"]);
    expect(await kit.history()).toMatchObject([{ callId: "one", changes: [{}, {}] }]);
    expect((await kit.undo({ last: 1 })).calls).toEqual(["one"]);
    expect(texts()).toEqual(["0", "0"]);
    await kit.dispose();
  },
);

test.skipIf(missing !== undefined)(
  "as long as a call runs, neither its toolkit nor another one undoes what it has brought so far",
  async () => {
    mkdirSync(at("open"));
    writeFileSync(at("open/a"), "0");
    const options = {
      workspace: at("open"),
      dataDirectory: at("open-data"),
      mode: "bypassPermissions",
      tools: { extra: [scripts] },
    } as const;
    const kit = await createToolkit(options);
    const other = await createToolkit(options);
    const seen: unknown[] = [];
    between = async () => {
      for (const each of [kit, other, kit.derive()]) {
        const refused = await each.undo().catch((error: unknown) => error);
        const [entry] = await each.history();
        seen.push([ToolError.is(refused) && refused.code, entry?.isRunning]);
      }
    };

    const input = { scripts: ["printf 1 > a", "printf 2 > a"] };
    const outcome = await kit.call({ id: "one", name: "Scripts", input });
    between = async () => undefined;

    expect(outcome.text).toBe("done");
    expect(seen).toEqual(Array.from({ length: 6 }, () => ["UNAVAILABLE", true]));
    expect(await other.history()).toMatchObject([{ callId: "one", state: "done" }]);
    expect((await other.undo()).calls).toEqual(["one"]);
    expect(readFileSync(at("open/a"), "utf8")).toBe("0");
    for (const each of [kit, other]) await each.dispose();
  },
);
