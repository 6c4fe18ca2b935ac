import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Model, ModelEvent, ModelRequest } from "../../src/agent/index.ts";
import { contentText, modes, type Mode, type OnAsk } from "../../src/core/index.ts";
import { simpleTool, testKit } from "../support/kit.ts";

/** Directories and hosts that agents try to write and to reach. */
const places = ["a", "b", "c"] as const;
type Place = (typeof places)[number];

const kinds = ["wide", "narrow", "general"] as const;
const starters = ["Agent", "Delegate", "SessionsSpawn", "resume"] as const;

interface Attempt {
  readonly does: "write" | "edit" | "connect" | "command" | (typeof starters)[number];
  readonly place: Place;
  readonly kind: (typeof kinds)[number];
  readonly mode: Mode | undefined;
  readonly tools: readonly string[] | undefined;
  readonly isBackground: boolean;
  readonly isFork: boolean;
}

const files = {
  ".haft/agents/wide.md":
    "---\ndescription: d\ntools: Agent, Delegate, SessionsSpawn, Write, Edit, Connect, Read, Bash\npermissionMode: bypassPermissions\n---\nWork.\n",
  ".haft/agents/narrow.md":
    "---\ndescription: d\ntools: Agent, Edit(./b/**), Write, Connect\npermissionMode: acceptEdits\n---\nWork.\n",
  "a/old.txt": "old\n",
  "b/old.txt": "old\n",
  "c/old.txt": "old\n",
};

const anAttempt: fc.Arbitrary<Attempt> = fc.record({
  does: fc.constantFrom("write", "edit", "connect", "command", ...starters),
  place: fc.constantFrom(...places),
  kind: fc.constantFrom(...kinds),
  mode: fc.option(fc.constantFrom(...modes), { nil: undefined }),
  tools: fc.option(
    fc.subarray(
      ["Write", "Edit(./a/**)", "Edit(./c/**)", "Connect", "Agent", "Bash", "Bash(touch a/*)"],
      { minLength: 1 },
    ),
    { nil: undefined },
  ),
  isBackground: fc.boolean(),
  isFork: fc.boolean(),
});

const aWorld = fc.record({
  mode: fc.constantFrom<Mode>("default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"),
  /** Grants that the user has given before. */
  allowed: fc.subarray([...places]),
  denied: fc.subarray([...places], { maxLength: 1 }),
  /** Ceiling of the root; undefined: none. */
  ceiling: fc.option(fc.subarray([...places]), { nil: undefined }),
  /** How the user answers: not at all, once, or with a rule for everything. */
  user: fc.constantFrom("none", "once", "grants"),
  plan: fc.array(fc.array(anAttempt, { minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 4,
  }),
});

/** Rules for a place: what a root that has them may do there. */
function rulesFor(place: Place): readonly string[] {
  return [`Edit(./${place}/**)`, `WebFetch(domain:${place}.example)`, `Bash(touch ${place}/*)`];
}

/** Model of all agents: each does what the plan has for its number, which its task carries. */
function modelOf(plan: readonly (readonly Attempt[])[]) {
  let count = 0;
  let latest = "";
  const model: Model = {
    id: "fake:attempts",
    async *stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
      const text = JSON.stringify(messages);
      latest = [...text.matchAll(/agent-[\da-f]+-\d+/gu)].at(-1)?.[0] ?? latest;
      const task = messages.findLast(
        ({ role, content }) => role === "user" && /agent \d+/u.test(contentText(content as never)),
      );
      const number = Number(/agent (\d+)/u.exec(JSON.stringify(task?.content) ?? "")?.[1] ?? 0);
      const from = task === undefined ? 0 : messages.indexOf(task);
      const turn = messages.slice(from).filter(({ role }) => role === "assistant").length;
      const attempt = plan[number % plan.length]?.[turn];
      if (attempt === undefined || count > 20) {
        yield { type: "text", text: "done" };
        yield { type: "finish", reason: "stop" };
        return;
      }
      if (attempt.does !== "write" && attempt.does !== "edit") count += 1;
      const { name, input } = callOf(attempt, { task: `agent ${count}`, latest });
      yield { type: "tool-call", id: "call_0", name, input: JSON.stringify(input) };
      yield { type: "finish", reason: "tool-calls" };
    },
  };
  return model;
}

function callOf(
  { does, place, kind, mode, tools, isBackground, isFork }: Attempt,
  { task, latest }: { readonly task: string; readonly latest: string },
): { readonly name: string; readonly input: object } {
  switch (does) {
    case "write":
      return { name: "Write", input: { file_path: `${place}/new.txt`, content: task } };
    case "edit":
      return {
        name: "Edit",
        input: { file_path: `${place}/old.txt`, old_string: "old", new_string: task },
      };
    case "connect":
      return { name: "Connect", input: { place } };
    case "command":
      return { name: "Bash", input: { command: `touch ${place}/old.txt` } };
    case "Delegate":
      return { name: "Delegate", input: { task } };
    case "SessionsSpawn":
      return { name: "SessionsSpawn", input: { prompt: task, agent_id: kind } };
    case "Agent":
    case "resume":
      return {
        name: "Agent",
        input: {
          prompt: task,
          ...(does === "resume" ? { resume: latest } : isFork ? { fork: true } : { agent: kind }),
          ...(mode === undefined ? {} : { permission_mode: mode }),
          ...(tools === undefined ? {} : { tools }),
          ...(isBackground ? { mode: "background" } : {}),
        },
      };
  }
}

test("no sequence of spawns and grants has an effect outside the ceiling of the root", async () => {
  let effects = 0;
  let started = 0;
  let commands = 0;
  await fc.assert(
    fc.asyncProperty(aWorld, async ({ mode, allowed, denied, ceiling, user, plan }) => {
      const reached = new Set<Place>();
      const touched = new Set<Place>();
      const connect = simpleTool(
        "Connect",
        (input) => {
          const place = places.find((each) => each === Reflect.get(Object(input), "place"));
          if (place !== undefined) reached.add(place);
          return { content: "connected" };
        },
        {
          touches: ["connect"],
          effects: (input) => [
            {
              kind: "connect",
              host: `${String(Reflect.get(Object(input), "place"))}.example`,
              span: { start: 0, end: 0 },
            },
          ],
        },
      );
      const onAsk: OnAsk = async () =>
        user === "once" ? { kind: "once" } : { kind: "save", rule: "Edit", scope: "session" };
      const { kit: outer, host } = await testKit(
        {
          model: modelOf(plan),
          mode,
          settings: "load",
          trust: true,
          sessions: "memory",
          tools: { extra: [connect] },
          ...(user === "none" ? {} : { onAsk }),
          rules: {
            allow: ["SessionsSpawn", ...allowed.flatMap(rulesFor)],
            deny: denied.flatMap(rulesFor),
          },
        },
        {
          files,
          programs: {
            bash: (argv) => {
              const command = argv.join(" ");
              for (const place of places)
                if (command.includes(`touch ${place}/`)) touched.add(place);
              return 0;
            },
          },
        },
      );
      const kit =
        ceiling === undefined
          ? outer
          : outer.derive({
              ceiling: ["Read", "Agent", "Delegate", "SessionsSpawn", ...ceiling.flatMap(rulesFor)],
            });
      await kit.run({ task: "agent 0", limits: { maxTurns: 60 }, retry: { attempts: 1 } }).result;
      started += (await kit.agents.list()).length;
      await outer.dispose();

      const texts = host.control.texts();
      const changed = places.filter((place) =>
        Object.entries(texts).some(
          ([name, text]) =>
            name.endsWith(`/${place}/new.txt`) ||
            (name.endsWith(`/${place}/old.txt`) && text !== "old\n"),
        ),
      );
      effects += changed.length + reached.size;
      commands += touched.size;
      const isAsked = user !== "none" && mode !== "dontAsk";
      const mayTouch = (place: Place, isFree: boolean): boolean =>
        !denied.includes(place) &&
        (ceiling === undefined || ceiling.includes(place)) &&
        (allowed.includes(place) || isAsked || isFree || mode === "bypassPermissions");
      const mayWrite = (place: Place): boolean =>
        mode !== "plan" && mayTouch(place, mode === "acceptEdits");

      expect(changed.filter((place) => !mayWrite(place))).toEqual([]);
      expect([...touched].filter((place) => !mayWrite(place))).toEqual([]);
      expect([...reached].filter((place) => !mayTouch(place, false))).toEqual([]);
    }),
    // HAFT_TREES=1000 draws more of them.
    { numRuns: Number(process.env["HAFT_TREES"] ?? 60) },
  );
  // Agents were started, and calls that may run did.
  expect(started).toBeGreaterThan(20);
  expect(effects).toBeGreaterThan(10);
  expect(commands).toBeGreaterThan(3);
}, 280_000);
