import { createRequire } from "node:module";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolError, type JsonSchema } from "../../core/index.ts";

/**
 * Compiles a plain JSON Schema with Ajv, which is loaded on first use and by `require`, so that validation stays
 * synchronous. Unknown keywords and formats are ignored, as the standard requires.
 */
export function jsonSchemaValidator(
  schema: JsonSchema,
): (value: unknown) => StandardSchemaV1.Result<unknown> {
  const validate = compile(schema);
  return (value) => {
    if (validate(value)) return { value };
    const errors = validate.errors ?? [];
    return {
      issues: errors.map(({ message, ...error }) => ({
        message: message ?? "",
        path: pathOf(error),
      })),
    };
  };
}

/** Why a value is not a usable JSON Schema, in a few words; undefined if it is one. */
export function jsonSchemaFault(schema: JsonSchema): string | undefined {
  const compiled = tryCompile(schema);
  return "reason" in compiled ? compiled.reason : undefined;
}

interface AjvError {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface AjvValidate {
  (value: unknown): boolean;
  readonly errors?: readonly AjvError[] | null;
}

interface AjvInstance {
  compile(schema: JsonSchema): AjvValidate;
  /** Throws if the schema is not valid. */
  validateSchema(schema: JsonSchema, throws: true): unknown;
}

type AjvConstructor = new (options: object) => AjvInstance;

const options = { strict: false, allErrors: true, validateFormats: false, logger: false } as const;
const load = createRequire(import.meta.url);

/** Instances that check schemas, one for each dialect: each compiles the schema of schemas, which takes milliseconds. */
const checkers = new Map<AjvConstructor, AjvInstance>();

function compile(schema: JsonSchema): AjvValidate {
  const compiled = tryCompile(schema);
  if (!("reason" in compiled)) return compiled.validate;
  const { reason, cause } = compiled;
  throw new ToolError(
    "INTERNAL",
    `The tool's input schema is not a usable JSON Schema: ${reason}.`,
    {
      hint: "The tool's author has to correct it.",
      cause,
    },
  );
}

function tryCompile(
  schema: JsonSchema,
): { readonly validate: AjvValidate } | { readonly reason: string; readonly cause: unknown } {
  const { $schema: dialect, $id: _id, ...rest } = schema;
  const isOld = typeof dialect === "string" && /draft-0[4-7]/u.test(dialect);
  const Ajv = ajvFor(isOld ? "ajv" : "ajv/dist/2020.js");
  try {
    checkerOf(Ajv).validateSchema(rest, true);
    // An instance keeps every schema that it compiled, and refuses a second one with the same `$id`.
    return { validate: new Ajv({ ...options, validateSchema: false }).compile(rest) };
  } catch (cause) {
    return { reason: cause instanceof Error ? cause.message : String(cause), cause };
  }
}

function checkerOf(Ajv: AjvConstructor): AjvInstance {
  const checker = checkers.get(Ajv) ?? new Ajv(options);
  checkers.set(Ajv, checker);
  return checker;
}

function ajvFor(specifier: string): AjvConstructor {
  const loaded: unknown = load(specifier);
  if (hasAjv(loaded)) return loaded.default;
  throw new TypeError("The installed ajv has no constructor.");
}

function hasAjv(loaded: unknown): loaded is { readonly default: AjvConstructor } {
  const isHolder = (typeof loaded === "object" && loaded !== null) || typeof loaded === "function";
  return isHolder && "default" in loaded && typeof loaded.default === "function";
}

/** Path of an issue. Ajv reports the parent of a missing or unexpected key, so the key is appended. */
function pathOf({ instancePath, params }: Omit<AjvError, "message">): string[] {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const key = params["missingProperty"] ?? params["additionalProperty"];
  return typeof key === "string" ? [...path, key] : path;
}
