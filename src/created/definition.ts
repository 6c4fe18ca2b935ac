import { z } from "zod";
import { ToolError, type CreatedDefinition, type JsonSchema } from "../core/index.ts";
import { isRecord } from "../text/index.ts";

/** Version of the format of tool.json. */
export const formatVersion = 1;

/** Limits on a created tool: the user reads all of it. */
export const createdLimits = {
  bodyChars: 32_000,
  schemaChars: 16_000,
  examples: 10,
  effects: 20,
  timeoutMs: 600_000,
} as const;

/** Milliseconds of a call whose definition names no other limit. */
export const defaultTimeoutMs = 30_000;

const Path = z.strictObject({
  kind: z.enum(["read", "write"]),
  path: z.string().min(1),
  scope: z.enum(["file", "tree"]).optional(),
});

const Connection = z.strictObject({
  kind: z.literal("connect"),
  host: z.string().min(1),
  port: z.int().min(1).max(65_535).optional(),
});

const Example = z.strictObject({
  input: z.record(z.string(), z.unknown()),
  expect: z.unknown().optional(),
});

/** Form of a created tool; the same for a model, a file and a program. */
export const Definition = z.strictObject({
  version: z.int().optional().describe("Version of this form, 1."),
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,47}$/u, "Use a letter, then at most 47 letters, digits, _ and -.")
    .describe("Also replaces a tool created before."),
  description: z.string().trim().min(1).max(1000).describe("When and how to use it."),
  input: z.record(z.string(), z.unknown()).describe("JSON Schema of an object."),
  touches: z
    .array(z.enum(["read", "write", "connect"]))
    .max(3)
    .describe("Kinds of its effects."),
  effects: z
    .array(z.union([Path, Connection]))
    .max(createdLimits.effects)
    .optional()
    .describe("Each path and host it touches; {name} is a property of the input."),
  language: z.enum(["javascript", "shell"]).describe("Language of the body."),
  body: z
    .string()
    .min(1)
    .max(createdLimits.bodyChars)
    .describe(
      "javascript: a module, export default (input) => result. shell: Bash; input is JSON on stdin, and $INPUT_name.",
    ),
  examples: z
    .array(Example)
    .min(1)
    .max(createdLimits.examples)
    .describe("Run before the user is asked."),
  timeout_ms: z
    .int()
    .min(100)
    .max(createdLimits.timeoutMs)
    .optional()
    .describe(`Milliseconds of one call. Default ${defaultTimeoutMs}.`),
});

/** Reads a definition that a file contains. Throws INVALID_INPUT with the first fault. */
export function readDefinition(value: unknown): CreatedDefinition {
  refuseNewer(value);
  const read = Definition.safeParse(value);
  if (read.success) return checkDefinition(read.data);
  const [issue] = read.error.issues;
  const at = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw invalid(`The definition is invalid: ${at}${issue?.message ?? "it is not an object."}`);
}

/** Refuses what the form alone does not show. Returns the definition. */
export function checkDefinition(definition: CreatedDefinition): CreatedDefinition {
  refuseNewer(definition);
  const { name, input, touches, effects = [] } = definition;
  const properties = propertiesOf(input);
  if (name.startsWith("mcp__")) {
    throw invalid("A name that begins with mcp__ belongs to a server.", {
      hint: "Choose another name.",
    });
  }
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
  return definition;
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
