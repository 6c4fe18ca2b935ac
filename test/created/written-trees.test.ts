/** Tools that may write everywhere in a directory: what is protected or denied there and does not exist yet. */
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Answer, Ask } from "../../src/index.ts";
import { agree, createdWorld, whyNotHeld } from "./created-world.ts";

const reason = await whyNotHeld();

const filler = {
  name: "Fill",
  description: "Fills a directory.",
  input: { type: "object", properties: { directory: { type: "string" } } },
  touches: ["write"],
  effects: [{ kind: "write", path: "{directory}", scope: "tree" }],
  language: "shell",
  body: [
    '[ -z "$INPUT_directory" ] && exit 0',
    'cd "$INPUT_directory" && mkdir -p .git/hooks',
    "for file in out.txt .envrc .git/hooks/pre-commit denied.txt; do echo new > $file; done",
  ].join("\n"),
  examples: [{ input: {} }],
} as const;

const keeps = (ask: Ask): boolean => ask.kind === "permission" && ask.question.startsWith("Keep");

test.skipIf(reason !== undefined).each([
  ["refused", ["old.txt"], "denied"],
  ["approved", [".envrc", ".git", "old.txt", "out.txt"], "ok"],
] as const)(
  "what runs by itself is asked about, and %s, whatever mode allows the tree; denied files are not written",
  async (answer, kept, status) => {
    const refuses = (ask: Ask): Answer =>
      keeps(ask) && answer === "refused" ? { kind: "deny" } : agree(ask);
    await using world = await createdWorld({ "src/old.txt": "old\n" }, refuses);
    const kit = await world.open({
      trust: true,
      mode: "acceptEdits",
      rules: { deny: ["Edit(denied.txt)"] },
    });
    await kit.call({ name: "CreateTool", input: filler });

    const outcome = await kit.call({ name: "Fill", input: { directory: "src" } });
    const found = await readdir(path.join(world.workspace, "src"));

    expect(world.asks.filter(keeps).map(({ question }) => question)).toEqual([
      expect.stringContaining("src/.envrc, src/.git/hooks/pre-commit included?"),
    ]);
    expect(outcome.status).toBe(status);
    expect(found.toSorted()).toEqual(kept);
  },
);

test.skipIf(reason !== undefined)(
  "other files are written without a second question, and undone",
  async () => {
    await using world = await createdWorld({ "src/old.txt": "old\n" });
    const kit = await world.open({ trust: true, mode: "acceptEdits" });
    const body = '[ -z "$INPUT_directory" ] || echo new > "$INPUT_directory/old.txt"';
    await kit.call({ name: "CreateTool", input: { ...filler, body } });
    const before = world.asks.length;

    const outcome = await kit.call({ name: "Fill", input: { directory: "src" } });
    const written = await readFile(path.join(world.workspace, "src/old.txt"), "utf8");
    await kit.undo({ last: 1 });

    expect([outcome.status, world.asks.length - before, written]).toEqual(["ok", 0, "new\n"]);
    expect(await readFile(path.join(world.workspace, "src/old.txt"), "utf8")).toBe("old\n");
  },
);

const starts = (ask: Ask): boolean => ask.kind === "permission" && ask.question.startsWith("Start");

test.skipIf(reason !== undefined).each([
  ["refused", ["old.txt"], "denied"],
  ["approved", [".envrc", ".git", "denied.txt", "old.txt", "out.txt"], "ok"],
] as const)(
  "without an overlay the start is asked about, and %s, whatever mode allows the tree",
  async (answer, kept, status) => {
    const refuses = (ask: Ask): Answer =>
      starts(ask) && answer === "refused" ? { kind: "deny" } : agree(ask);
    await using world = await createdWorld({ "src/old.txt": "old\n" }, refuses);
    const kit = await world.open({
      trust: true,
      mode: "acceptEdits",
      sandbox: { overlay: "off" },
      rules: { allow: ["Edit(/src/**)"] },
    });
    await kit.call({ name: "CreateTool", input: filler });

    const outcome = await kit.call({ name: "Fill", input: { directory: "src" } });
    const found = await readdir(path.join(world.workspace, "src"));

    expect(world.asks.filter(starts)).toMatchObject([
      {
        question: "Start Fill, which may create protected files in src?",
        reason: expect.stringContaining("It was switched off. Nothing else can keep it from"),
      },
    ]);
    expect(outcome.status).toBe(status);
    expect(found.toSorted()).toEqual(kept);
  },
);

test.skipIf(reason !== undefined)(
  "without an overlay a mode that refuses questions starts nothing",
  async () => {
    await using world = await createdWorld({ "src/old.txt": "old\n" });
    const kit = await world.open({
      trust: true,
      mode: "acceptEdits",
      sandbox: { overlay: "off" },
      rules: { allow: ["Edit(/src/**)"] },
    });
    await kit.call({ name: "CreateTool", input: filler });
    kit.setMode("dontAsk");

    const outcome = await kit.call({ name: "Fill", input: { directory: "src" } });

    expect(outcome).toMatchObject({ status: "denied", error: { code: "APPROVAL_REQUIRED" } });
    expect(await readdir(path.join(world.workspace, "src"))).toEqual(["old.txt"]);
  },
);

test.skipIf(reason !== undefined)("what was created in a directory of git is named", async () => {
  await using world = await createdWorld({ "README.md": "", ".git/HEAD": "", ".git/x": "" });
  const kit = await world.open({
    trust: true,
    mode: "bypassPermissions",
    sandbox: { overlay: "off" },
  });
  await kit.call({ name: "CreateTool", input: filler });

  const { text } = await kit.call({ name: "Fill", input: { directory: "." } });

  expect(world.asks.filter(starts)).toEqual([]);
  expect(text).toMatch(
    /It created [^ ]+\/\.git\/hooks, .*which programs outside the sandbox obey/u,
  );
});

test.skipIf(reason !== undefined)(
  "a directory that no overlay covers is asked about, also where a rule allows it",
  async () => {
    await using world = await createdWorld({ "src/old.txt": "" });
    const outside = path.join(world.root, "outside");
    const kit = await world.open({
      trust: true,
      mode: "acceptEdits",
      rules: { allow: [`Edit(/${outside}/**)`] },
    });
    await kit.call({ name: "CreateTool", input: filler });

    const outcome = await kit.call({ name: "Fill", input: { directory: outside } });

    expect(outcome.status).toBe("ok");
    expect(world.asks.filter(({ tool }) => tool === "Fill")).toMatchObject([
      { reason: expect.stringContaining("Overlays do not cover it.") },
    ]);
  },
);
