import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createdWorld, whyNotHeld } from "./created-world.ts";

const reason = await whyNotHeld();

test.skipIf(reason !== undefined)("an aborted call leaves no empty file", async () => {
  await using world = await createdWorld();
  const kit = await world.open({ mode: "acceptEdits" });
  const body = 'if [ -n "$INPUT_path" ]; then echo > started; sleep 60; fi';
  const effects = [
    { kind: "write", path: "{path}" },
    { kind: "write", path: "started" },
  ] as const;
  await kit.call({
    name: "CreateTool",
    input: {
      name: "Wait",
      description: "Waits.",
      input: { type: "object", properties: { path: { type: "string" } } },
      touches: ["write"],
      effects,
      language: "shell",
      body: body.replace("started", path.join(world.workspace, "started")),
      examples: [{ input: {} }],
    },
  });
  const abort = new AbortController();
  const call = kit.call({ name: "Wait", input: { path: "new.txt" } }, { signal: abort.signal });
  const started = async () =>
    await readFile(path.join(world.workspace, "started"), "utf8").catch(() => "");
  await expect.poll(started, { timeout: 20_000 }).toBe("\n");

  abort.abort();
  const outcome = await call;

  expect(outcome.status).toBe("aborted");
  expect(await readdir(world.workspace)).not.toContain("new.txt");
});

test.skipIf(reason !== undefined)(
  "an aborted call on an overlay has ended with what it changed",
  async () => {
    await using world = await createdWorld({ "src/old.txt": "old\n", "node_modules/x": "" });
    const kit = await world.open({ mode: "acceptEdits" });
    const started = path.join(world.workspace, "node_modules/started");
    await kit.call({
      name: "CreateTool",
      input: {
        name: "Fill",
        description: "Fills a directory.",
        input: { type: "object", properties: { directory: { type: "string" } } },
        touches: ["write"],
        effects: [
          { kind: "write", path: "{directory}", scope: "tree" },
          { kind: "write", path: "node_modules", scope: "tree" },
        ],
        language: "shell",
        body: `[ -z "$INPUT_directory" ] || { echo new > "$INPUT_directory/a"; echo > ${started}; sleep 60; }`,
        examples: [{ input: {} }],
      },
    });
    const abort = new AbortController();
    const input = { directory: "src" };
    const call = kit.call({ name: "Fill", input }, { signal: abort.signal });
    const shown = async () => await readFile(started, "utf8").catch(() => "");
    await expect.poll(shown, { timeout: 20_000 }).toBe("\n");

    abort.abort();
    const { status, text } = await call;
    const there = await readdir(path.join(world.workspace, "src"));
    await kit.undo({ last: 1 });

    expect(status).toBe("aborted");
    expect(text).not.toContain("when it has ended");
    expect(there).toEqual(["a", "old.txt"]);
    expect(await readdir(path.join(world.workspace, "src"))).toEqual(["old.txt"]);
  },
);
