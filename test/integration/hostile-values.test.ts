import { expect, test } from "vitest";
import type { Call, Kit, Outcome } from "../../src/index.ts";
import { world } from "./world.ts";

const files = { "a.txt": "one\ntwo\n", "dir/x.txt": "x" };
const depth = 50_000;

function nested(kind: "list" | "object"): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = kind === "list" ? [value] : { a: value };
  return value;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = { a: 1 };
  value["self"] = [value];
  return value;
}

const throwing = (): never => {
  throw new Error("not for you");
};
const trap = {
  get: throwing,
  has: throwing,
  ownKeys: throwing,
  getPrototypeOf: throwing,
  getOwnPropertyDescriptor: throwing,
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Values that no model sends and a program may; made anew for each use. */
const hostile: readonly { readonly name: string; readonly make: () => unknown }[] = [
  { name: "a list 50,000 deep", make: () => nested("list") },
  { name: "an object 50,000 deep", make: () => nested("object") },
  { name: "a cycle", make: cyclic },
  { name: "a BigInt", make: () => 10n },
  { name: "a symbol", make: () => Symbol("s") },
  { name: "a function", make: () => () => 1 },
  {
    name: "a getter that throws",
    make: () => Object.defineProperty({}, "a", { get: throwing, enumerable: true }),
  },
  { name: "a proxy that throws", make: () => new Proxy({}, trap) },
  { name: "a revoked proxy", make: revoked },
  { name: "a huge sparse list", make: () => Object.assign([], { length: 4_294_967_295 }) },
  { name: "a lone surrogate", make: () => "a\uD800b" },
  { name: "NUL bytes", make: () => "\0\0" },
  {
    name: "a __proto__ key",
    make: () => JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{}}}'),
  },
  { name: "a toJSON that throws", make: () => ({ toJSON: throwing }) },
  {
    name: "a toString that throws",
    make: () => ({ toString: throwing, [Symbol.toPrimitive]: throwing }),
  },
  { name: "NaN", make: () => Number.NaN },
  { name: "40,000 stars", make: () => "*".repeat(40_000) },
  { name: "a glob of 40,000 characters", make: () => "{a,b}/**/[!x]*".repeat(2858) },
  { name: "40,000 braces", make: () => "{".repeat(40_000) },
  { name: "a huge expression", make: () => `(${"(a|b)*".repeat(5000)})+$` },
  { name: "an expression 5,000 deep", make: () => "(".repeat(5000) + "a" + ")".repeat(5000) },
  { name: "a path of 100,000 characters", make: () => "d/".repeat(50_000) },
  { name: "a name of 10,000 characters", make: () => "n".repeat(10_000) },
  { name: "JSON text 50,000 deep", make: () => "[".repeat(depth) + "]".repeat(depth) },
  { name: "broken JSON text 50,000 deep", make: () => "{'a':[".repeat(depth) },
  { name: "an Error", make: () => new Error("x") },
  {
    name: "a class with a private field",
    make: () =>
      new (class {
        #x = 1;
        get x(): number {
          return this.#x;
        }
      })(),
  },
];

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

test.each(hostile)("$name in a call is a fault with a name (issue 14)", async ({ make }) => {
  expect(await every(make, async (kit, call) => faultOf(await kit.call(call)))).toEqual([]);
});

async function explanationFault(kit: Kit, call: Call): Promise<string | undefined> {
  const { error } = await kit.explain(call);
  const previewed = await kit.preview(call, { approved: true });
  const codes = [error?.code, previewed.error?.code];
  return codes.includes("INTERNAL") ? JSON.stringify([error, previewed.error]) : undefined;
}

test.each(hostile)(
  "$name in an explanation is a fault with a name (issue 14)",
  async ({ make }) => {
    expect(await every(make, explanationFault)).toEqual([]);
  },
);
