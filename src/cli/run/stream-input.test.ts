import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { fakeTerminal } from "../../../test/fakes/fake-terminal.ts";
import { callOf, cliWorld, haft, scripted } from "../../../test/support/cli.ts";
import { streamInput } from "./stream-input.ts";

test("input lines are messages, answers to questions by their id, and runs of one session", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    callOf("Write", { file_path: "x.txt", content: "x" }),
    { text: "Written." },
    { text: "Again." },
  ]);
  let printed = "";
  const lines = async function* lines(): AsyncGenerator<string> {
    yield '{"type":"user","text":"write"}';
    yield "no json";
    await expect.poll(() => printed).toContain('"type":"permission-ask"');
    const ask = printed.split("\n").find((line) => line.includes("permission-ask")) ?? "{}";
    yield '{"type":"answer","id":"nothing","answer":"once"}';
    yield JSON.stringify({ type: "answer", id: JSON.parse(ask).id, answer: "once" });
    await expect.poll(() => printed).toContain('"type":"result"');
    yield '{"type":"user","text":"once more"}';
  };

  const { code, out, err } = await haft(
    ["run", ...model, "--output-format", "stream-json", "--input-format", "stream-json"],
    { world, lines, onOutput: (text) => (printed += text) },
  );
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const results = events.filter(({ type }) => type === "result");

  expect(code).toBe(0);
  expect(results).toMatchObject([{ text: "Written." }, { text: "Again." }]);
  expect(results[0]?.["sessionId"]).toBe(results[1]?.["sessionId"]);
  expect(events.at(-1)).toMatchObject({ type: "result" });
  expect(err).toContain("An input line is not a JSON object: no json");
  expect(err).toContain("No question has the id nothing.");
  expect(await readFile(path.join(world.workspace, "x.txt"), "utf8")).toBe("x");
});

test("an interrupt line ends the run, and the next message starts another", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    callOf("Write", { file_path: "x", content: "" }),
    { text: "Next." },
  ]);
  let printed = "";
  const lines = async function* lines(): AsyncGenerator<string> {
    yield '{"type":"user","text":"write"}';
    await expect.poll(() => printed).toContain('"type":"permission-ask"');
    yield '{"type":"interrupt"}';
    await expect.poll(() => printed).toContain('"type":"result"');
    yield '{"type":"user","text":"go on"}';
  };

  const { code, out } = await haft(["run", ...model, "--json", "--input-format", "stream-json"], {
    world,
    lines,
    onOutput: (text) => (printed += text),
  });
  const results = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === "result");

  expect(code).toBe(0);
  expect(results).toMatchObject([{ status: "aborted" }, { status: "done", text: "Next." }]);
});

async function* interruptedAtOnce(): AsyncGenerator<string> {
  yield '{"type":"interrupt"}';
  yield '{"type":"user","text":"write"}';
  yield '{"type":"interrupt"}';
  yield '{"type":"user","text":"go on"}';
}

test("an interrupt line that follows its message at once is not lost, nor is what follows it", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "Next." }]);
  const words = ["run", ...model, "--json", "--input-format", "stream-json"];
  const { out } = await haft(words, { world, lines: interruptedAtOnce });
  const results = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ type }) => type === "result");

  expect(results).toMatchObject([{ status: "aborted" }, { status: "done", text: "Next." }]);
});

async function* compacted(): AsyncGenerator<string> {
  yield '{"type":"user","text":"one"}';
  yield '{"type":"user","text":"two"}';
  yield '{"type":"user","text":"/compact"}';
}

test("the message /compact shortens the conversation and does not reach the model", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "1" }, { text: "2" }]);
  const words = ["run", ...model, "--json", "--input-format", "stream-json"];
  const { out, err } = await haft(words, { world, lines: compacted });

  expect(out).not.toContain("/compact");
  expect(err).toContain("The conversation was not shortened: there is too little of it.");
});

async function* commandsWithin(): AsyncGenerator<string> {
  yield '{"type":"user","text":"one"}';
  yield '{"type":"user","text":"/permissions"}';
  yield '{"type":"user","text":"two"}';
}

test("a command that comes while a run is active runs after it and does not reach the model", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "1" }, { text: "2" }]);
  const words = ["run", ...model, "--json", "--input-format", "stream-json"];
  const { out, err } = await haft(words, { world, lines: commandsWithin });
  const told = await haft(["sessions", "export", "latest"], { world });

  expect(`${out}${err}`).toContain("There are no rules");
  expect(told.out).not.toContain("/permissions");
  expect(told.out).toMatch(/one[^]*"1"[^]*two[^]*"2"/u);
});

async function* compactedFirst(): AsyncGenerator<string> {
  yield '{"type":"interrupt"}';
  yield '{"type":"user","text":" /compact "}';
  yield '{"type":"user","text":"go on"}';
}

test("/compact before a message waits for the run that the message starts", async () => {
  const sent: string[] = [];
  const input = streamInput(fakeTerminal({ lines: compactedFirst }));

  const message = await input.nextMessage();
  input.attach({
    send: (text) => sent.push(text) > 0,
    abort: () => void sent.push("abort"),
    compact: async () => sent.push("compact") > 0,
  });

  expect(message).toBe("go on");
  expect(sent).toEqual(["compact"]);
});

test("/compact as a task is a usage error that says how to send it", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "1" }]);

  const { code, err } = await haft(["run", ...model, "/compact"], { world });

  expect(code).toBe(2);
  expect(err).toContain("/compact shortens the conversation of an active run; it is not a task.");
});
