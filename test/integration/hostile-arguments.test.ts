import { expect, test } from "vitest";
import {
  createToolkit,
  defineTool,
  fromMinimalTool,
  memoryHost,
  ToolError,
  type Kit,
} from "../../src/index.ts";
import { hostile } from "../support/hostile.ts";
import { tool, world } from "./world.ts";

/** Calls a function or method in a way that types would not let through. */
function misuse(target: object, method: string, given: readonly unknown[]): unknown {
  const member: unknown = Reflect.get(target, method);
  if (typeof member !== "function") throw new Error(`There is no method ${method}.`);
  return Reflect.apply(member, target, given);
}

const values = [
  ...hostile,
  { name: "null", make: () => null },
  { name: "a number", make: () => -7.5 },
  { name: "an empty text", make: () => "" },
  { name: "an empty list", make: () => [] },
  { name: "an empty object", make: () => ({}) },
  { name: "a list of null", make: () => [null] },
  { name: "an object without a prototype", make: () => Object.create(null) as unknown },
];

/** Messages of the engine of JavaScript: they name no argument and no way out. */
const enginesOwn =
  /Cannot (?:read|convert|destructure|perform|mix|set|delete|serialize|assign|define)|is not (?:a function|iterable|an object|a constructor|extensible|defined|valid JSON)|call stack|circular|Invalid array|Invalid time|has been revoked|'get' on proxy|must be of type|object null|regular expression/iu;

/** A fault that does not say who made it and what to pass instead; undefined for one that does. */
function faultOf(error: unknown): string | undefined {
  if (ToolError.is(error)) {
    if (error.code === "INTERNAL") return `INTERNAL: ${error.message}`;
    return (error.hint ?? "") === "" ? `${error.code} without a hint: ${error.message}` : undefined;
  }
  if (!(error instanceof Error)) return codeOf(error);
  if (!(error instanceof TypeError)) return String(error);
  if (enginesOwn.test(error.message)) return `of the engine: ${error.message}`;
  const hint: unknown = Reflect.get(error, "hint");
  if (typeof hint !== "string" || hint === "") return `without a hint: ${error.message}`;
  if (/^\s+at /mu.test(error.message)) return `a stack: ${error.message}`;
  return error.message.length > 2000 ? `${error.message.length} characters` : undefined;
}

/** The error of an outcome is data. */
function codeOf(error: unknown): string | undefined {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error);
  return typeof code === "string" && code !== "INTERNAL"
    ? undefined
    : `${String(code)}: ${String(message)}`;
}

interface Surface {
  readonly name: string;
  readonly act: (kit: Kit, value: unknown) => unknown;
}

const read = { name: "Read", input: { file_path: "a.txt" } };

function withField(method: string, fields: readonly string[], before: readonly unknown[] = []) {
  return [
    {
      name: `${method}(options)`,
      act: (kit: Kit, value: unknown) => misuse(kit, method, [...before, value]),
    },
    ...fields.map((field) => ({
      name: `${method}({ ${field} })`,
      act: (kit: Kit, value: unknown) => misuse(kit, method, [...before, { [field]: value }]),
    })),
  ];
}

const definition = {
  name: "Mine",
  description: "Mine.",
  touches: [],
  input: { type: "object" },
  run: () => ({ content: "" }),
};
const definitionFields = [
  "name",
  "description",
  "touches",
  "input",
  "run",
  "output",
  "aliases",
  "effects",
  "timeoutMs",
  "maxChars",
  "staged",
  "tags",
  "category",
  "version",
  "displayName",
  "searchHint",
  "icon",
  "source",
  "flags",
  "needs",
  "inputAliases",
  "freeText",
  "strict",
  "variantOf",
];

const callOptions = [
  "signal",
  "onProgress",
  "onOutput",
  "sessionId",
  "agentId",
  "turn",
  "inOrder",
  "onAsk",
  "services",
];

/** Opens a toolkit with these options, and closes it again where it opens. */
async function opened(options: object): Promise<void> {
  const kit: unknown = await misuse({ createToolkit }, "createToolkit", [options]);
  await misuse(Object(kit), "dispose", []);
}

const toolkitOptions: readonly string[] = [
  "workspace mode additionalDirectories dataDirectory settings rules trust sandbox host tools hooks",
  "onAsk onEvent signal eventLog services tracer maxChars limits search grep background",
  "redactSecrets unheardOf",
].flatMap((line) => line.split(" "));

const nestedOptions: readonly (readonly [string, string])[] = [
  ["rules", "allow"],
  ["rules", "deny"],
  ["sandbox", "require"],
  ["sandbox", "driver"],
  ["sandbox", "network"],
  ["sandbox", "overlay"],
  ["sandbox", "secrets"],
  ["sandbox", "passthrough"],
  ["sandbox", "unheardOf"],
  ["tools", "include"],
  ["tools", "exclude"],
  ["tools", "extra"],
  ["hooks", "before"],
  ["hooks", "permission"],
  ["limits", "grep"],
  ["limits", "shownChars"],
  ["search", "defaultExcludes"],
  ["grep", "markMatches"],
  ["settings", "permissions"],
  ["settings", "sandbox"],
  ["settings", "limits"],
  ["settings", "dangerousCommandWhitelist"],
];

const surfaces: readonly Surface[] = [
  { name: "createToolkit(options)", act: (_kit, value) => opened(value as object) },
  ...toolkitOptions.map((field) => ({
    name: `createToolkit({ ${field} })`,
    act: async (_kit: Kit, value: unknown) => {
      await opened({ host: memoryHost(), [field]: value });
    },
  })),
  ...nestedOptions.flatMap(([field, below]) => [
    {
      name: `createToolkit({ ${field}: { ${below} } })`,
      act: async (_kit: Kit, value: unknown) => {
        await opened({ host: memoryHost(), [field]: { [below]: value } });
      },
    },
    {
      name: `createToolkit({ ${field}: { ${below}: [value] } })`,
      act: async (_kit: Kit, value: unknown) => {
        await opened({ host: memoryHost(), [field]: { [below]: [value] } });
      },
    },
  ]),
  { name: "definitions(format)", act: (kit, value) => misuse(kit, "definitions", [value]) },
  ...withField("definitions", ["mode", "names", "renames", "sort"], ["openai"]),
  ...withField("listings", ["mode"]),
  ...withField("derive", ["host", "mode", "tools", "ceiling"]),
  ...withField("call", callOptions, [read]),
  { name: "callAll(calls)", act: (kit, value) => misuse(kit, "callAll", [value]) },
  { name: "callAll([call])", act: (kit, value) => misuse(kit, "callAll", [[value]]) },
  ...withField("callAll", callOptions, [[read]]),
  ...withField("preview", ["approved", "signal", "sessionId"], [read]),
  ...withField("undo", ["last", "call", "to", "anything"]),
  ...withField("undo", ["force", "sessionId", "onAsk", "signal"], [{ last: 1 }]),
  ...withField("run", ["model", "task", "limits", "system", "messages", "signal", "clock"]),
  ...withField("redo", ["force"]),
  { name: "diff(callId)", act: (kit, value) => misuse(kit, "diff", [value]) },
  { name: "history(value)", act: (kit, value) => misuse(kit, "history", [value]) },
  {
    name: "storage.collect(options)",
    act: (kit, value) => misuse(kit.storage, "collect", [value]),
  },
  {
    name: "storage.collect({ dryRun })",
    act: (kit, value) => misuse(kit.storage, "collect", [{ dryRun: value }]),
  },
  { name: "setMode(mode)", act: (kit, value) => misuse(kit, "setMode", [value]) },
  { name: "runConfined(argv)", act: (kit, value) => misuse(kit, "runConfined", [value]) },
  {
    name: "events.subscribe(listener)",
    act: (kit, value) => misuse(kit.events, "subscribe", [value]),
  },
  { name: "events.emit(event)", act: (kit, value) => misuse(kit.events, "emit", [value]) },
  ...(["search", "activate", "isDeferred"] as const).map((method) => ({
    name: `deferral.${method}(text)`,
    act: async (kit: Kit, value: unknown) => await misuse(kit.deferral, method, [value]),
  })),
  { name: "register(tool)", act: (kit, value) => misuse(kit.registry, "register", [value]) },
  { name: "registerAll(tools)", act: (kit, value) => misuse(kit.registry, "registerAll", [value]) },
  {
    name: "register(tool, options)",
    act: (kit, value) => {
      misuse(kit.registry, "register", [tool("Mine", () => ({ content: "" })), value]);
      kit.registry.unregister("Mine");
    },
  },
  ...["override", "enabled", "scope"].map((field) => ({
    name: `register(tool, { ${field} })`,
    act: (kit: Kit, value: unknown) =>
      misuse(kit.registry, "register", [tool("Mine", () => ({ content: "" })), { [field]: value }]),
  })),
  { name: "unregister(name)", act: (kit, value) => misuse(kit.registry, "unregister", [value]) },
  {
    name: "setEnabled(name)",
    act: (kit, value) => misuse(kit.registry, "setEnabled", [value, true]),
  },
  {
    name: "createFiltered(names)",
    act: (kit, value) => misuse(kit.registry, "createFiltered", [value]),
  },
  {
    name: "defineTool(value)",
    act: (_kit, value) => misuse({ defineTool }, "defineTool", [value]),
  },
  {
    name: "fromMinimalTool(value)",
    act: (_kit, value) => misuse({ fromMinimalTool }, "fromMinimalTool", [value]),
  },
  ...definitionFields.flatMap((field) => [
    {
      name: `defineTool({ ${field} })`,
      act: async (kit: Kit, value: unknown) => {
        const made = misuse({ defineTool }, "defineTool", [{ ...definition, [field]: value }]);
        misuse(kit.registry, "register", [made, { override: true }]);
        await kit.definitions("openai");
        kit.listings();
        return await kit.call({ name: "Mine", input: {} });
      },
    },
    {
      name: `register({ ${field} })`,
      act: async (kit: Kit, value: unknown) => {
        const made = { ...definition, kind: "tool", [field]: value };
        misuse(kit.registry, "register", [made, { override: true }]);
        await kit.definitions("anthropic");
        return await kit.call({ name: "Mine", input: {} });
      },
    },
  ]),
];

test.each(surfaces)("$name takes no hostile value for a fault of haft", async ({ act }) => {
  const faults: string[] = [];

  const { kit } = await world(
    { onAsk: async () => ({ kind: "once" }) },
    { files: { "a.txt": "one\n" } },
  );
  for (const { name, make } of values) {
    try {
      const answer = await act(kit, make());
      const error: unknown =
        typeof answer === "object" && answer !== null ? Reflect.get(answer, "error") : undefined;
      const fault = error === undefined ? undefined : faultOf(error);
      if (fault !== undefined) faults.push(`${name}: ${fault}`);
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== undefined) faults.push(`${name}: ${fault}`);
    }
  }
  await kit.dispose();

  expect(faults).toEqual([]);
});
