import { z } from "zod";
import {
  ToolError,
  type CreatedDefinition,
  type DeclaredEffect,
  type GivenTool,
  type JsonSchema,
} from "../core/index.ts";
import { jsonSchemaFault } from "../schema/index.ts";
import { isRecord, visibleText } from "../text/index.ts";

/** Version of the format of tool.json. */
export const formatVersion = 1;

/** Limits on a created tool: the user reads all of it. */
export const createdLimits = {
  descriptionChars: 1000,
  bodyChars: 32_000,
  schemaChars: 16_000,
  examples: 10,
  effects: 20,
  timeoutMs: 600_000,
} as const;

/** Milliseconds of a call whose definition names no other limit. */
export const defaultTimeoutMs = 30_000;

const Effect = z.strictObject({
  kind: z.enum(["read", "write", "connect"]),
  path: z.string().optional(),
  scope: z.enum(["file", "tree"]).optional(),
  host: z.string().optional(),
  port: z.int().optional(),
});

const Example = z.strictObject({
  input: z.looseObject({}),
  expect: z.unknown().optional(),
});

/** Form of a created tool for a model. Limits are checked afterwards, so that the published schema stays short. */
export const Definition = z.strictObject({
  name: z.string().describe("Replaces an earlier one."),
  description: z.string().describe("When and how to use it."),
  input: z.looseObject({}).describe("JSON Schema of an object."),
  touches: z.array(z.enum(["read", "write", "connect"])).describe("Kinds of its effects."),
  effects: z
    .array(Effect)
    .optional()
    .describe("Each path and host; {name} is a property of the input."),
  language: z.enum(["javascript", "shell"]).describe("Of the body."),
  body: z
    .string()
    .describe(
      "javascript: export default (input) => result. shell: Bash; input is JSON on stdin, and $INPUT_name.",
    ),
  examples: z.array(Example).describe("Run before the user is asked."),
  timeout_ms: z.int().optional().describe(`Default ${defaultTimeoutMs}.`),
});

/** Reads a definition that a file contains. Throws INVALID_INPUT with the first fault. */
export function readDefinition(value: unknown): CreatedDefinition {
  refuseNewer(value);
  const form = Definition.extend({ version: z.int().optional() });
  const read = form.safeParse(value);
  if (read.success) return checkDefinition(read.data);
  const [issue] = read.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw invalid(`The definition is invalid: ${at}${issue?.message ?? "it is not an object."}`);
}

/** Refuses what the form alone does not show. Returns the definition. */
export function checkDefinition(given: GivenTool): CreatedDefinition {
  refuseNewer(given);
  const { name, input, touches } = given;
  refuseOversized(given);
  const effects = (given.effects ?? []).map(declaredEffect);
  const properties = propertiesOf(input);
  refuseServerName(name);
  if (properties === undefined) {
    throw invalid(`The input of ${name} is not the schema of an object.`, {
      hint: 'Give { "type": "object", "properties": { … } }.',
    });
  }
  const odd = Object.keys(properties).find((each) => !/^[A-Za-z_]\w{0,63}$/u.test(each));
  if (odd !== undefined) {
    throw invalid(`The property ${JSON.stringify(odd)} of the input has an invalid name.`, {
      hint: "Use a letter or _, then at most 63 letters, digits and _.",
    });
  }
  if (JSON.stringify(input).length > createdLimits.schemaChars) {
    throw invalid(`The input schema of ${name} is longer than ${createdLimits.schemaChars}.`);
  }
  const unusable = jsonSchemaFault(input);
  if (unusable !== undefined) {
    throw invalid(
      `The input of ${name} is not a usable JSON Schema: ${visibleText(unusable.slice(0, 300))}.`,
      { hint: "Correct it; docs/created-tools.md describes the form." },
    );
  }
  const kinds = new Set(effects.map(({ kind }) => kind));
  for (const kind of kinds) {
    if (touches.includes(kind)) continue;
    throw invalid(`${name} has the effect ${kind}, which its touches do not name.`, {
      hint: `Add ${JSON.stringify(kind)} to touches, or remove the effect.`,
    });
  }
  for (const kind of touches) {
    if (kinds.has(kind)) continue;
    throw invalid(`${name} touches ${kind}, and no effect says what.`, {
      hint: `Add { "kind": ${JSON.stringify(kind)}, … } to effects, or remove it from touches.`,
    });
  }
  for (const effect of effects) {
    const text = effect.kind === "connect" ? effect.host : effect.path;
    for (const [, placeholder = ""] of text.matchAll(/\{([^{}]*)\}/gu)) {
      if (Object.hasOwn(properties, placeholder)) continue;
      throw invalid(
        `The effect ${JSON.stringify(text)} names {${placeholder}}, which is not a property of the input.`,
        {
          hint: "Name one of the input's properties, or a fixed path.",
        },
      );
    }
  }
  return { ...given, effects };
}

/** Refuses a name of the form that tools of MCP servers have: a rule for a server must not allow other tools. */
export function refuseServerName(name: string): void {
  if (!/^mcp__/iu.test(name)) return;
  throw invalid("A name that begins with mcp__ belongs to a server.", {
    hint: "Choose another name.",
  });
}

/** Refuses a name, a text or a number out of its limits. */
function refuseOversized(given: GivenTool): void {
  const {
    name,
    description,
    body,
    examples,
    effects = [],
    timeout_ms: ms = defaultTimeoutMs,
  } = given;
  const faults: readonly (readonly [isFault: boolean, message: string])[] = [
    [
      !/^[A-Za-z][\w-]{0,47}$/u.test(name),
      "name: a letter, then at most 47 letters, digits, _ and -.",
    ],
    [
      description.trim() === "" || description.length > createdLimits.descriptionChars,
      `description: 1 to ${createdLimits.descriptionChars} characters.`,
    ],
    [
      body.trim() === "" || body.length > createdLimits.bodyChars,
      `body: 1 to ${createdLimits.bodyChars} characters.`,
    ],
    [
      examples.length === 0 || examples.length > createdLimits.examples,
      `examples: 1 to ${createdLimits.examples}.`,
    ],
    [effects.length > createdLimits.effects, `effects: at most ${createdLimits.effects}.`],
    [ms < 100 || ms > createdLimits.timeoutMs, `timeout_ms: 100 to ${createdLimits.timeoutMs}.`],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw invalid(`The definition is invalid: ${fault[1]}`);
}

/** An effect with the fields of its kind, and no others. */
function declaredEffect({ kind, path, scope, host, port }: z.infer<typeof Effect>): DeclaredEffect {
  if (kind === "connect") {
    if (host === undefined || host === "" || path !== undefined || scope !== undefined) {
      throw invalid("An effect connect has a host, and may have a port.");
    }
    return { kind, host, ...(port === undefined ? {} : { port }) };
  }
  if (path === undefined || path === "" || host !== undefined || port !== undefined) {
    throw invalid(`An effect ${kind} has a path, and may have a scope.`);
  }
  return { kind, path, ...(scope === undefined ? {} : { scope }) };
}

function refuseNewer(value: unknown): void {
  const version = isRecord(value) ? (value["version"] ?? formatVersion) : formatVersion;
  if (version === formatVersion) return;
  const shown = typeof version === "number" ? version : JSON.stringify(version);
  throw invalid(
    `The definition has format version ${shown}; this haft reads version ${formatVersion}.`,
    {
      hint: `Update haft, or write the definition in version ${formatVersion}.`,
    },
  );
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(schema) || schema["type"] !== "object") return undefined;
  const { properties = {} } = schema;
  return isRecord(properties) ? properties : undefined;
}

function invalid(message: string, { hint }: { readonly hint?: string } = {}): ToolError {
  return new ToolError("INVALID_INPUT", message, {
    hint: hint ?? "docs/created-tools.md describes the form.",
  });
}

/** A small tool to begin with. Throws INVALID_INPUT if the name is invalid. */
export function exampleDefinition(
  name: string,
  language: CreatedDefinition["language"],
): CreatedDefinition {
  return readDefinition({
    version: formatVersion,
    name,
    description: "Counts the lines of a file.",
    input: {
      type: "object",
      properties: { path: { type: "string", description: "File to count." } },
      required: ["path"],
      additionalProperties: false,
    },
    touches: ["read"],
    effects: [{ kind: "read", path: "{path}" }],
    language,
    body: exampleBodies[language],
    examples: [{ input: { path: `.haft/tools/${name}/tool.json` } }],
    timeout_ms: 10_000,
  });
}

const exampleBodies = {
  javascript: `import { readFile } from "node:fs/promises";

export default async ({ path }) => {
  const text = await readFile(path, "utf8");
  return { lines: text.split("\\n").length - 1 };
};
`,
  shell: 'wc -l < "$INPUT_path"\n',
};
