import { expect, test } from "vitest";
import { readOf, runOf, unknownOf, writeOf } from "../../../test/policy/policy-world.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";
import type { Effect, PreviewResult } from "../../core/index.ts";
import type { CallState } from "../call-state.ts";
import { declaredPreview } from "./preview.ts";

function declared(effects: readonly Effect[], kind?: "ask" | "allow") {
  const tool = simpleTool("Tool", () => ({ content: "" }));
  const decision = kind === undefined ? undefined : { kind };
  const state = { effects, tool, decision } as unknown as CallState;
  return declaredPreview(state, { cwd: "/ws" });
}

test("what a call says it writes is what it would change", () => {
  const changes = ["create", "modify", "delete", "any"] as const;
  const effects = changes.map((change) => writeOf(`/ws/${change}`, change));

  expect(declared([readOf("/ws/a"), ...effects])).toEqual({
    summary: expect.stringMatching(/^As declared: .*create/u),
    changes: [
      { path: "/ws/create", change: "created" },
      { path: "/ws/modify", change: "modified" },
      { path: "/ws/delete", change: "deleted" },
      { path: "/ws/any", change: "unknown" },
    ],
    basis: "declared",
  });
});

test("a call that writes nothing would change nothing, and it is said where it waits for a yes", () => {
  const basis = "declared";

  expect(declared([readOf("/ws/a")])).toEqual({
    summary: "Would change no file.",
    changes: [],
    basis,
  });
  expect(declared([readOf("/ws/a")], "allow").summary).toBe("Would change no file.");
  expect(declared([readOf("/ws/a")], "ask").summary).toBe(
    "Would change no file. It was not run, because that needs a yes first.",
  );
});

test.each([
  { effect: unknownOf("x"), isOpen: true },
  { effect: { kind: "delegate", agent: "x" } as const, isOpen: true },
  { effect: runOf("npm test"), isOpen: true },
  { effect: runOf("ls", { consequences: "listed" }), isOpen: false },
  { effect: { kind: "connect", host: "a.org" } as const, isOpen: false },
])("of a call with $effect the changes are not known: $isOpen", ({ effect, isOpen }) => {
  const preview = declared([writeOf("/ws/a"), effect]);

  expect(preview.changes === undefined).toBe(isOpen);
  expect(preview.summary).toMatch(
    isOpen ? /^What Tool would do can only be found out by running it\.$/u : /^As declared/u,
  );
  expect(preview.basis).toBe("declared");
});

const previews: readonly { readonly told: PreviewResult; readonly is: PreviewResult }[] = [
  {
    told: { summary: "It pays." },
    is: { basis: "reported", summary: "It pays." },
  },
  {
    told: { summary: "It pays.", basis: "run" },
    is: { basis: "run", summary: "It pays." },
  },
  {
    told: { summary: "It pays.", basis: "declared" },
    is: { basis: "declared", changes: [], summary: "It pays. Would change no file." },
  },
];

test.each(previews)("what a tool says of itself, $told, is shown as such", async ({ told, is }) => {
  const { kit } = await testKit({
    tools: {
      extra: [
        simpleTool("Pay", () => ({ content: "paid" }), {
          touches: ["interact"],
          effects: () => [{ kind: "interact" }],
          preview: async () => await Promise.resolve(told),
        }),
      ],
    },
  });

  const shown = await kit.preview({ name: "Pay", input: {} });

  expect(shown).toMatchObject({ preview: is });
});

test("a search of a preview is confined as that of the call", async () => {
  const search = simpleTool(
    "Search",
    async (_, { host }) => {
      for await (const event of host.search.grep({ root: "/project", pattern: "x" })) void event;
      return { content: "searched" };
    },
    {
      touches: ["read"],
      staged: "files",
      effects: () => [{ kind: "read", path: ".", scope: "tree" }],
    },
  );
  const { kit, host } = await testKit({
    tools: { extra: [search] },
    sandbox: { require: "enforced" },
  });
  const grep = host.search.grep.bind(host.search);
  const confinements: unknown[] = [];
  host.search.grep = (query, options) => {
    confinements.push(query.confinement);
    return grep(query, options);
  };

  const { preview } = await kit.preview({ name: "Search", input: {} });
  await kit.call({ name: "Search", input: {} });

  expect(preview).toMatchObject({ basis: "run", content: "searched" });
  expect(confinements).toEqual([{}, {}]);
});
