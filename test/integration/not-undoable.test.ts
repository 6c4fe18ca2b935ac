import {
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createToolkit,
  type Answer,
  type Ask,
  type Kit,
  type Outcome,
  type ToolkitOptions,
} from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
/** More than the journal keeps of one call. */
const largeBytes = 70 * 1024 * 1024;

const base = temporaryFolder("not-undoable");
let kits: Kit[] = [];
const at = (name: string): string => path.join(base("work"), name);

beforeEach(() => {
  mkdirSync(at(""));
  writeFileSync(at("a.txt"), "one\n");
  writeFileSync(at("large"), "");
  truncateSync(at("large"), largeBytes);
  kits = [];
});
afterEach(async () => {
  for (const kit of kits) await kit.dispose();
});

async function open(
  answer: Answer | undefined,
  options: ToolkitOptions = {},
): Promise<{ readonly kit: Kit; readonly asked: readonly Ask[] }> {
  const asked: Ask[] = [];
  const onAsk = async (ask: Ask): Promise<Answer> => {
    asked.push(ask);
    return answer ?? { kind: "deny" };
  };
  const kit = await createToolkit({
    workspace: at(""),
    dataDirectory: base("data"),
    rules: { allow: ["Bash(python3 *)"] },
    ...(answer === undefined ? {} : { onAsk }),
    ...options,
  });
  kits.push(kit);
  return { kit, asked };
}

/** Writes over both, and says nothing of it. */
const command = `python3 -c 'open("large", "w").write("small"); open("a.txt", "w").write("two")'`;
const run = async (kit: Kit): Promise<Outcome> =>
  await kit.call({ name: "Bash", input: { command } });
const lost = (): string =>
  `${at("large")} cannot be undone: its ${largeBytes} bytes are more than a call's journal keeps.`;
const yes: Answer = { kind: "once" };

test.skipIf(missing === undefined)("overlays do not work here", ({ skip }) => {
  expect(missing).toBeDefined();
  skip(missing?.reason);
});

const bash = async (kit: Kit, words: string): Promise<Outcome> =>
  await kit.call({ name: "Bash", input: { command: words } });
const inFolder = (): string => lost().replace(at("large"), at("folder/large"));

describe("a call that removes more than is stored of it", () => {
  beforeEach(() => {
    mkdirSync(at("folder"));
    writeFileSync(at("folder/small"), "small\n");
    renameSync(at("large"), at("folder/large"));
  });

  test("says so, and how many are left is in the history and said by undo", async () => {
    const { kit } = await open(yes, { rules: { allow: ["Bash(rm *)"] } });

    const outcome = await bash(kit, "rm -r folder");

    expect(outcome).toMatchObject({ status: "ok", undo: { level: "partial" } });
    expect(outcome.text.split("\n").at(-1)).toBe(`(${inFolder()})`);
    expect(outcome.metadata["unkept"]).toBe(inFolder());
    const [entry] = await kit.history();
    expect(entry?.skipped.map((each) => each.path)).toEqual([at("folder/large")]);
    const undone = await kit.undo();
    expect(undone.skipped.map((each) => each.path)).toEqual([at("folder/large")]);
    expect(readFileSync(at("folder/small"), "utf8")).toBe("small\n");
  });

  test("says nothing where what is not kept stays as it is", async () => {
    const { kit } = await open(yes, { rules: { allow: ["Bash(rm *)"] } });

    const outcome = await bash(kit, "rm -r folder/small; rm -f folder/no-such-file");

    expect(outcome).toMatchObject({ status: "ok", undo: { level: "full" } });
    expect(outcome.text).not.toContain("undone");
    expect(outcome.metadata).not.toHaveProperty("unkept");
  });

  test("says so also where it failed on the way", async () => {
    const { kit } = await open(yes, { rules: { allow: ["Bash(rm *)"] } });

    const outcome = await bash(kit, "rm -r folder no-such-file");

    expect(outcome.text).toContain(inFolder());
  });
});

describe.skipIf(missing !== undefined)("a command that changes more than the journal keeps", () => {
  test("is asked about before it counts, and undo says what stays as it is", async () => {
    const { kit, asked } = await open(yes);

    const outcome = await run(kit);

    expect(asked.map(({ question, notUndoable }) => [question, notUndoable])).toEqual([
      ["Keep what the command changed?", lost()],
    ]);
    expect(readFileSync(at("large"), "utf8")).toBe("small");
    expect(outcome.undo?.level).toBe("partial");
    expect(outcome.text.split(lost())).toHaveLength(2);
    const undone = await kit.undo();
    expect(undone.changes.map((change) => change.path)).toEqual([at("a.txt")]);
    expect(undone.skipped.map((each) => each.path)).toEqual([at("large")]);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(at("large"), "utf8")).toBe("small");
  });

  test("changes nothing with a no", async () => {
    const { kit } = await open({ kind: "deny", reason: "keep it" });

    const outcome = await run(kit);

    expect(outcome.error).toMatchObject({
      code: "DENIED_BY_USER",
      message: `No change of the command was applied, because the user said no: keep it. ${lost()}`,
    });
    expect(statSync(at("large")).size).toBe(largeBytes);
    expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n");
    expect(await kit.history()).toEqual([]);
  });

  test.each<[string, Answer | undefined, ToolkitOptions]>([
    ["where nobody can be asked", undefined, {}],
    ["in bypassPermissions", yes, { mode: "bypassPermissions" }],
    ["in dontAsk", yes, { mode: "dontAsk" }],
  ])("is applied and told %s", async (_, answer, options) => {
    const { kit, asked } = await open(answer, options);

    const outcome = await run(kit);

    expect(outcome.status).toBe("ok");
    expect(asked).toEqual([]);
    expect(outcome.text).toContain(lost());
    expect(outcome.undo?.level).toBe("partial");
    expect(readFileSync(at("large"), "utf8")).toBe("small");
  });

  test("is asked about once where protected files are among it", async () => {
    const { kit, asked } = await open(yes);

    const outcome = await kit.call({
      name: "Bash",
      input: { command: command.replace("'open(", `'open(".envrc", "w").write("x"); open(`) },
    });

    expect(asked.map(({ question, notUndoable }) => [question, notUndoable])).toEqual([
      ["Keep what the command changed, .envrc included?", lost()],
    ]);
    expect(outcome.text.split(lost())).toHaveLength(2);
  });

  test("leaves nothing of what it set aside", async () => {
    const { kit } = await open(yes);
    await run(kit);
    await kit.dispose();

    const left = await readdir(base(""), { recursive: true });
    expect(left.filter((name) => name.includes("aside"))).toEqual([]);
  });
});
