/** Files that storing a created tool may overwrite, and sentences about later sessions. */
import { mkdir, readFile, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { ToolkitOptions } from "../../src/index.ts";
import { agree, countLines, createdWorld, whyNotHeld } from "./created-world.ts";

const reason = await whyNotHeld();
const call = { name: "CreateTool", input: countLines };
const directory = ".haft/tools/CountLines";

test.skipIf(reason !== undefined)(
  "files that are not of a version of the session are not overwritten",
  async () => {
    await using world = await createdWorld({ [`${directory}/run.mjs`]: "// mine\n" });
    const kit = await world.open();

    const outcome = await kit.call(call);

    expect(outcome.text).toContain("It is not stored. ");
    expect(outcome.text).toContain(`${directory}/run.mjs exists`);
    expect(world.asks.map(({ question }) => question)).not.toContainEqual(
      expect.stringContaining("Store"),
    );
    expect(await readdir(path.join(world.workspace, directory))).toEqual(["run.mjs"]);
    expect(await readFile(path.join(world.workspace, directory, "run.mjs"), "utf8")).toBe(
      "// mine\n",
    );
  },
);

test.skipIf(reason !== undefined)("a new version replaces the one in use", async () => {
  await using world = await createdWorld();
  const kit = await world.open();
  await kit.call(call);

  const outcome = await kit.call({ ...call, input: { ...countLines, timeout_ms: 5000 } });
  const stored = await readFile(path.join(world.workspace, directory, "tool.json"), "utf8");

  expect(outcome.text).toContain(`It is stored in ${directory}`);
  expect(JSON.parse(stored)).toMatchObject({ timeout_ms: 5000 });
});

test.skipIf(reason !== undefined)(
  "a later version is stored although one between was not",
  async () => {
    const onlyNow: string[] = [];
    await using world = await createdWorld({}, (ask) => {
      const isStorage = ask.kind === "question" && ask.question.startsWith("Store");
      const [, second] = ask.kind === "question" ? (ask.options ?? []) : [];
      if (!isStorage || onlyNow.pop() === undefined) return agree(ask);
      return { kind: "answer", choices: [second?.label ?? ""] };
    });
    const kit = await world.open();
    await kit.call(call);
    onlyNow.push("once");

    const second = await kit.call({ ...call, input: { ...countLines, timeout_ms: 5000 } });
    const third = await kit.call({ ...call, input: { ...countLines, timeout_ms: 6000 } });
    const stored = await readFile(path.join(world.workspace, directory, "tool.json"), "utf8");

    expect(second.text).toMatch(/It is not stored\.$/u);
    expect(third.text).toContain(`It is stored in ${directory}`);
    expect(JSON.parse(stored)).toMatchObject({ timeout_ms: 6000 });
  },
);

const refusing: readonly ToolkitOptions[] = [
  { mode: "plan" },
  { rules: { deny: ["Edit(.haft/tools/**)"] } },
];

test.skipIf(reason !== undefined).each(refusing)("nothing is stored with %j", async (options) => {
  await using world = await createdWorld();
  const kit = await world.open(options);

  const outcome = await kit.call(call);

  expect(outcome.status).toBe("ok");
  expect(outcome.text).toContain("It is not stored. ");
  expect(await readdir(world.workspace)).toEqual(["a.txt"]);
});

test.skipIf(reason !== undefined)("nothing is created where a link leads", async () => {
  await using world = await createdWorld();
  const outside = path.join(world.root, "outside");
  await mkdir(outside);
  await symlink(outside, path.join(world.workspace, ".haft"));
  const kit = await world.open();

  const outcome = await kit.call(call);

  expect(outcome.status).toBe("ok");
  expect(outcome.text).toContain("is reached by a link");
  expect(await readdir(outside)).toEqual([]);
});

test.skipIf(reason !== undefined)(
  "trust that is missing is named, to the user and the model",
  async () => {
    await using world = await createdWorld();
    const kit = await world.open();

    const outcome = await kit.call(call);

    expect(world.asks.at(-1)?.question).toContain(
      "once the workspace is trusted (haft trust add)?",
    );
    expect(outcome.text).toContain("later sessions have it once the workspace is trusted");
  },
);

const filler = {
  ...countLines,
  touches: ["write"],
  effects: [{ kind: "write", path: "out", scope: "tree" }],
  body: 'import { writeFile } from "node:fs/promises";\nexport default async () => (await writeFile("out/a", "x"), "done");',
  examples: [{ input: { path: "a.txt" }, expect: "done" }],
} as const;

test.skipIf(reason !== undefined).each([
  ["reads", countLines, {}],
  ["writes", filler, {}],
  ["nothing confines", countLines, { sandbox: { require: "off" } }],
] as const)(
  "the files of a tool that %s are part of the call, and undo brings the version before back",
  async (_what, input, options: ToolkitOptions) => {
    await using world = await createdWorld({ "out/old": "" });
    const kit = await world.open(options);
    const stored = async (): Promise<string> =>
      await readFile(path.join(world.workspace, directory, "tool.json"), "utf8");
    await kit.call({ ...call, input });
    const first = await stored();
    const outcome = await kit.call({
      ...call,
      id: "second",
      input: { ...input, timeout_ms: 5000 },
    });
    const second = await stored();

    const [entry] = await kit.history();
    await kit.undo({ call: "second" });
    const undone = await stored();
    await kit.undo({ last: 1 });

    expect(second).not.toBe(first);
    expect(outcome.undo).toEqual({ callId: "second", level: "full" });
    expect(entry).toMatchObject({ tool: "CreateTool", callId: "second" });
    expect(undone).toBe(first);
    expect(await stored().catch(() => "gone")).toBe("gone");
  },
);

test.skipIf(reason !== undefined)("a tool that is not stored leaves nothing to undo", async () => {
  await using world = await createdWorld({}, (ask) =>
    ask.kind === "question" && ask.question.startsWith("Store")
      ? { kind: "answer", choices: ["Only this session"] }
      : agree(ask),
  );
  const kit = await world.open();

  const outcome = await kit.call(call);

  expect(outcome.status).toBe("ok");
  expect(outcome.undo).toBeUndefined();
});
