import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft, scripted } from "../../../test/support/cli.ts";

const facts = /\d+ tokens in, \d+ out, (?<turns>\d+ turns?), \d+ calls?; session (?<id>\S+)\n/u;

test("--continue continues the latest session, --resume in a named one, --fork in a copy", async () => {
  await using world = await cliWorld();
  const model = await scripted(
    world,
    ["One.", "Two.", "Three.", "Four."].map((text) => ({ text })),
  );
  const first = await haft(["run", ...model, "begin"], { world });
  const id = facts.exec(first.err)?.groups?.["id"] ?? "";

  const second = await haft(["run", ...model, "--continue", "more"], { world });
  const third = await haft(["run", ...model, "--resume", id, "and more"], { world });
  const fork = await haft(["run", ...model, "--fork", id, "elsewhere"], { world });
  const sessions = JSON.parse((await haft(["sessions", "--json"], { world })).out);

  expect([first.out, second.out, third.out, fork.out]).toEqual([
    "One.\n",
    "Two.\n",
    "Three.\n",
    "Four.\n",
  ]);
  expect(facts.exec(third.err)?.groups?.["id"]).toBe(id);
  expect(sessions).toMatchObject([
    { forkedFrom: { sessionId: id, message: 6 }, messages: 8 },
    { sessionId: id, runs: 3, messages: 6 },
  ]);
});

test("a session and its copies continue with the model of the session", async () => {
  await using world = await cliWorld();
  const base = { agentId: "", runId: "r" };
  const usage = { input: 1, output: 1 };
  const exported = [
    { type: "session", version: 1, sessionId: "s", title: "t", createdAt: 1 },
    { type: "run", ...base, task: "t", model: "anthropic:x", status: "done", usage },
    { type: "message", ...base, messages: [{ role: "user", content: [] }] },
  ];
  const file = path.join(world.folder, "s.jsonl");
  await writeFile(file, exported.map((line) => JSON.stringify(line)).join("\n"));
  await haft(["sessions", "import", file], { world });
  const copy = (await haft(["sessions", "fork", "s"], { world })).out.trim();

  for (const choice of [
    ["--resume", "s"],
    ["--fork", "s"],
    ["--resume", copy],
  ]) {
    const { code, err } = await haft(["run", ...choice, "go"], { world });

    expect(code).toBe(2);
    expect(err).toContain("There is no API key for anthropic");
  }
});

test("a session that ended needs a task to continue", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "Done." }]);
  await haft(["run", ...model, "begin"], { world });

  const { code, err } = await haft(["run", ...model, "--continue"], { world });
  const fork = await haft(["run", ...model, "--fork", "latest"], { world });
  const sessions = JSON.parse((await haft(["sessions", "--json"], { world })).out);

  expect([code, fork.code]).toEqual([2, 2]);
  expect(err).toContain("ended with an answer. What is the next task?");
  expect(sessions).toHaveLength(1);
});
