import { expect, test } from "vitest";
import type { Call, Kit, Outcome } from "../../src/index.ts";
import { hostile, throwing } from "../support/hostile.ts";
import { world } from "./world.ts";

const files = { "a.txt": "one\ntwo\n", "dir/x.txt": "x" };
const tools: readonly {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}[] = [
  { name: "Read", input: { file_path: "a.txt", offset: 1, limit: 1 } },
  { name: "Write", input: { file_path: "a.txt", content: "x" } },
  { name: "Edit", input: { file_path: "a.txt", old_string: "one", new_string: "1" } },
  { name: "MultiEdit", input: { file_path: "a.txt", edits: [] } },
  { name: "Glob", input: { pattern: "*", path: "." } },
  { name: "Grep", input: { pattern: "one", path: ".", glob: "*", output_mode: "content" } },
  { name: "ListDir", input: { path: "." } },
  { name: "Bash", input: { command: "true", timeout: 1, cwd: "." } },
  { name: "ApplyPatch", input: { patch: "x" } },
  { name: "NotebookEdit", input: { notebook_path: "a.ipynb", new_source: "x" } },
  { name: "TaskOutput", input: { task_id: "t" } },
  { name: "Nothing", input: { a: 1 } },
];

function callsWith(make: () => unknown): readonly unknown[] {
  const whole = tools.map(({ name }) => ({ name, input: make() }));
  const parts = tools.flatMap(({ name, input }) =>
    Object.keys(input).map((key) => ({ name, input: { ...input, [key]: make() } })),
  );
  const around = [
    make(),
    { name: make(), input: {} },
    { id: make(), name: "Read", input: { file_path: "a.txt" } },
    { name: "Read", input: { file_path: "a.txt" }, incomplete: make() },
    Object.defineProperty({ name: "Read" }, "input", { get: throwing, enumerable: true }),
  ];
  return [...whole, ...parts, ...around];
}

/** Whatever was sent, the outcome can be read, names its fault and is not a fault of haft. */
function faultOf(outcome: Outcome): string | undefined {
  const { error } = outcome;
  if (error === undefined) return undefined;
  if (error.code === "INTERNAL") return `INTERNAL: ${error.message}`;
  if ((error.hint ?? "") === "") return `${error.code} without a hint`;
  return JSON.stringify(outcome) === undefined ? "no JSON" : undefined;
}

async function every(
  make: () => unknown,
  act: (kit: Kit, call: Call) => Promise<string | undefined>,
): Promise<readonly string[]> {
  const { kit } = await world(
    { mode: "acceptEdits", onAsk: async () => ({ kind: "once" }) },
    { files },
  );
  const faults: string[] = [];
  for (const [index, call] of callsWith(make).entries()) {
    try {
      const fault = await act(kit, call as Call);
      if (fault !== undefined) faults.push(`call ${index}: ${fault}`);
    } catch (error) {
      faults.push(`call ${index} rejected: ${String(error)}`);
    }
  }
  await kit.dispose();
  return faults;
}

test.each(hostile)("$name in a call is a fault with a name", async ({ make }) => {
  expect(await every(make, async (kit, call) => faultOf(await kit.call(call)))).toEqual([]);
});

async function explanationFault(kit: Kit, call: Call): Promise<string | undefined> {
  const { error } = await kit.explain(call);
  const previewed = await kit.preview(call, { approved: true });
  const codes = [error?.code, previewed.error?.code];
  return codes.includes("INTERNAL") ? JSON.stringify([error, previewed.error]) : undefined;
}

test.each(hostile)("$name in an explanation is a fault with a name", async ({ make }) => {
  expect(await every(make, explanationFault)).toEqual([]);
});
