import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { exited, notBuilt, run, start } from "../support/built.ts";
import { cliWorld, treeHash } from "../support/cli.ts";

const hello = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

const write = {
  jsonrpc: "2.0",
  id: 3,
  method: "tools/call",
  params: { name: "Write", arguments: { file_path: "x.txt", content: "x" } },
};

function lines(messages: readonly object[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

describe.skipIf(notBuilt !== undefined)("haft mcp", () => {
  test("speaks the protocol and nothing else on standard output, and ends with its input", async () => {
    await using world = await cliWorld({ "a.txt": "one\n" });
    const read = {
      jsonrpc: "2.0",
      id: 3,
      method: "tools/call",
      params: { name: "Read", arguments: { file_path: "a.txt" } },
    };
    const child = start(["mcp"], { world });
    const ended = exited(child);
    const answers: { id?: number; result?: unknown }[] = [];

    child.stdin.write(lines([...hello, { jsonrpc: "2.0", id: 2, method: "tools/list" }, read]));
    for await (const line of createInterface({ input: child.stdout })) {
      answers.push(JSON.parse(line) as { id?: number });
      if (answers.some(({ id }) => id === 3)) break;
    }
    child.stdin.end();
    const { code, err } = await ended;

    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(answers.find(({ id }) => id === 1)?.result).toMatchObject({
      serverInfo: { name: "haft" },
    });
    expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "Read" })]),
    });
    expect(answers.find(({ id }) => id === 3)?.result).toMatchObject({
      content: [{ type: "text", text: "1\tone" }],
    });
  });

  test.each([
    [[], true, "what default mode would ask is refused, because nobody can be asked"],
    [["--mode", "acceptEdits"], false, "acceptEdits changes files in the workspace"],
    [["--allow", "Edit(/x.txt)"], false, "a rule allows what it names"],
    [["--yes"], false, "a person said yes beforehand"],
    [["--mode", "acceptEdits", "--deny", "Edit(x.txt)"], true, "a deny rule is final"],
  ])("with %j a Write is an error: %s (%s)", async (words, isError) => {
    await using world = await cliWorld();
    const before = await treeHash(world.workspace);

    const child = start(["mcp", ...words], { world });
    child.stdin.write(lines([...hello, write]));
    let result: unknown;
    for await (const line of createInterface({ input: child.stdout })) {
      const answer = JSON.parse(line) as { id?: number; result?: unknown };
      if (answer.id === 3) {
        result = answer.result;
        break;
      }
    }
    child.stdin.end();
    await once(child, "close");

    expect((result as { isError?: boolean }).isError === true).toBe(isError);
    expect((await treeHash(world.workspace)) === before).toBe(isError);
  });

  test.each([
    [{ action: "accept", content: { decision: "Allow once" } }, false],
    [{ action: "accept", content: { decision: "Deny" } }, true],
    [{ action: "decline" }, true],
  ])("a client that shows forms is asked, and %j is its person's word", async (result, isError) => {
    await using world = await cliWorld();
    const before = await treeHash(world.workspace);
    const [opening] = hello;
    const asking = {
      ...opening,
      params: { ...opening?.params, capabilities: { elicitation: {} } },
    };

    const child = start(["mcp"], { world });
    child.stdin.write(lines([asking, ...hello.slice(1), write]));
    let answer: unknown;
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line) as { id?: unknown; method?: string; result?: unknown };
      if (message.method === "elicitation/create") {
        child.stdin.write(lines([{ jsonrpc: "2.0", id: message.id, result }]));
      }
      if (message.id === 3) {
        answer = message.result;
        break;
      }
    }
    child.stdin.end();
    await once(child, "close");

    expect(answer).toMatchObject({ isError });
    expect((await treeHash(world.workspace)) === before).toBe(isError);
  });

  test("a line that cannot be read ends it with usage before any protocol", async () => {
    await using world = await cliWorld();

    const { code, out, err } = await run(["mcp", "--mode", "plna"], { world });

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("Did you mean plan?");
  });
});
