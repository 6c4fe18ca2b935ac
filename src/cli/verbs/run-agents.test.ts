import { expect, test } from "vitest";
import { cliWorld, haft, scripted } from "../../../test/support/cli.ts";

test("agents are shown as a tree with what each does, its calls and its tokens", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  const model = await scripted(world, [
    { calls: [{ name: "Agent", input: { prompt: "look", description: "Look around" } }] },
    { calls: [{ name: "Glob", input: { pattern: "*.txt" } }], usage: { input: 20, output: 5 } },
    { text: "One file.", usage: { input: 30, output: 5 } },
    { text: "There is one file." },
  ]);

  const { code, out, err } = await haft(["run", ...model, "how many files?"], { world });
  const shown = err.replaceAll(/agent-[\da-f]+-\d+/gu, "ID");

  expect(code).toBe(0);
  expect(out).toContain("There is one file.");
  expect(shown).toContain("  ▸ general: Look around (ID)\n");
  expect(shown).toMatch(/ {4}Look around: .*\(1 turn, 1 call, 25 tokens\)/u);
  expect(shown).toContain("  ✓ general: Look around: done (2 turns, 1 call, 60 tokens)\n");
});

test("another process shows the agents of a run, and one of them", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  const model = await scripted(world, [
    { calls: [{ name: "Agent", input: { prompt: "look", description: "Look around" } }] },
    { text: "One file.", usage: { input: 30, output: 5 } },
    { text: "There is one file." },
  ]);
  await haft(["run", ...model, "how many files?"], { world });

  const list = await haft(["agents"], { world });
  const [id = ""] = list.out.split(" ");
  const named = await haft(["agents", "list"], { world });
  const one = await haft(["agents", id], { world });
  const none = await haft(["agents", "agent-9"], { world });

  expect(list.out).toMatch(
    /^agent-\S+ {2}done {2}general {2}1 turn, 0 calls, 35 tokens {2}\d+ s ago {2}Look around\n$/u,
  );
  expect(named.out.split(" ")[0]).toBe(id);
  expect(one.out).toContain("One file.");
  expect(none.code).toBe(2);
  expect(none.err).toContain("There is no agent agent-9.");
});

test("kinds of agents are listed, and those that need trust are named", async () => {
  await using world = await cliWorld({ ".haft/agents/a.md": "---\ndescription: d\n---\nWork.\n" });
  const settings = world.places.filter((word) => word !== "--no-settings");

  const { out } = await haft(["agents", "kinds"], { world: { ...world, places: settings } });

  expect(out).toContain("general: Any task that is described completely in the prompt.\n");
  expect(out).toContain("a (needs trust): It needs trust: this workspace is not trusted.");
});

test("a call of an agent that is refused is in the exit code and in the result", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  const turns = [
    { calls: [{ name: "Agent", input: { prompt: "look", description: "Look around" } }] },
    { calls: [{ name: "Read", input: { file_path: "/etc/shadow" } }] },
    { text: "I could not." },
    { text: "It could not." },
  ];

  const model = await scripted(world, turns);
  const { code, err } = await haft(["run", ...model, "look"], { world });
  const json = await haft(["run", ...model, "--output-format", "json", "look"], { world });
  const { denials } = JSON.parse(json.out);

  expect(code).not.toBe(0);
  expect(json.code).toBe(code);
  expect(err).toMatch(/refused: Read by agent-\S+: /u);
  expect(denials).toMatchObject([{ tool: "Read", agentId: expect.stringMatching(/^agent-/u) }]);
});
