import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type InputIssue,
  type InputSchema,
  isStandardSchema,
  type JsonSchema,
  type Repair,
} from "../../core/index.ts";
import { coerce } from "../coerce/coercion.ts";
import type { Coercion } from "../coerce/context.ts";
import type { Check, CompiledInput, PreparedInput } from "./compile-input.ts";
import { isRecord } from "../../text/index.ts";
import { defaultsOf, fillDefaults } from "./defaults.ts";
import { hasStrayKey, inputShape } from "./input-shape.ts";
import { unwrapInput } from "../coerce/input-wrapping.ts";
import { issuesOf, wordIssues } from "./issues.ts";
import { nodeAt, pointer, type SchemaNode } from "./schema-node.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { isSchemaPair, publishedSchema } from "../publish/published-schema.ts";

/** A valid input with the repairs that made it so, or its issues, worded for the model. */
export type Validated =
  | { readonly ok: true; readonly value: unknown; readonly repairs: readonly Repair[] }
  | {
      readonly ok: false;
      readonly issues: readonly InputIssue[];
      readonly message: string;
      readonly hint: string;
    };

/**
 * Validates a call's input. A valid value is passed on unchanged; an invalid one is changed only if exactly one
 * interpretation fits, and each change is reported. `text` is the JSON it was parsed from, if any: it shows how a
 * number was written. Synchronous if the schema's own validator is, except for the first call of a schema whose
 * converter has to be loaded.
 */
export function validateInput(
  compiled: CompiledInput,
  value: unknown,
  text?: string,
): Validated | Promise<Validated> {
  const prepared = compiled.prepared ?? prepare(compiled);
  if (prepared instanceof Promise) {
    return prepared.then((ready) => validate({ compiled, prepared: ready, text }, value));
  }
  const result = prepared.check(value);
  if (!(result instanceof Promise) && result.issues === undefined) {
    const { shape, defaults } = prepared;
    if (shape === undefined || !hasStrayKey(shape, value)) {
      const whole = defaults === undefined ? result.value : fillDefaults(defaults, result.value);
      return { ok: true, value: whole, repairs: none };
    }
  }
  return follow({ compiled, prepared, text }, value, result);
}

const none: readonly Repair[] = [];

type Result = StandardSchemaV1.Result<unknown>;

interface Run {
  readonly compiled: CompiledInput;
  readonly prepared: PreparedInput;
  readonly text: string | undefined;
}

/** A changed input, not validated yet. */
interface Attempt {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

interface Failure {
  readonly value: unknown;
  readonly issues: readonly StandardSchemaV1.Issue[];
}

function validate(run: Run, value: unknown): Validated | Promise<Validated> {
  return follow(run, value, run.prepared.check(value));
}

function follow(
  run: Run,
  value: unknown,
  result: Result | Promise<Result>,
): Validated | Promise<Validated> {
  if (result instanceof Promise) return result.then((settled) => follow(run, value, settled));
  const { shape, node } = run.prepared;
  const isStray = result.issues === undefined && shape !== undefined && hasStrayKey(shape, value);
  if (result.issues === undefined && !isStray) return accept(run, { value, repairs: none }, result);
  if (node === undefined) {
    return result.issues === undefined
      ? accept(run, { value, repairs: none }, result)
      : refuse(run, [{ value, issues: result.issues }]);
  }
  return repairInput(run, { node, value, result });
}

/** Repairs key names and wrappers first, then values; each stage is validated, and the first valid one is used. */
function repairInput(
  run: Run,
  { node, value, result }: { node: SchemaNode; value: unknown; result: Result },
): Validated | Promise<Validated> {
  const failures: Failure[] = result.issues === undefined ? [] : [{ value, issues: result.issues }];
  const renamed = changeInput(run, { node, value, keysOnly: true });
  if (renamed.repairs.length === 0 && result.issues === undefined) {
    return accept(run, { value, repairs: none }, result);
  }
  const attempts: (() => Attempt)[] = [
    () => renamed,
    () => changeInput(run, { node, value, keysOnly: false }),
  ];
  const next = (): Validated | Promise<Validated> => {
    const attempt = attempts.shift()?.();
    if (attempt === undefined) return refuse(run, failures);
    if (attempt.repairs.length === 0) return next();
    const checked = run.prepared.check(attempt.value);
    return checked instanceof Promise
      ? checked.then((settled) => judge(attempt, settled))
      : judge(attempt, checked);
  };
  const judge = (attempt: Attempt, checked: Result): Validated | Promise<Validated> => {
    if (checked.issues === undefined) return accept(run, attempt, checked);
    failures.push({ value: attempt.value, issues: checked.issues });
    return next();
  };
  return next();
}

function changeInput(
  { compiled, prepared, text }: Run,
  { node, value, keysOnly }: { node: SchemaNode; value: unknown; keysOnly: boolean },
): Attempt {
  const { aliases, freeText } = prepared;
  const repairs: Repair[] = [];
  let written: ReadonlySet<number> | undefined;
  const coercion: Coercion = {
    aliases,
    freeText,
    keysOnly,
    repairs,
    depth: 0,
    isInexact: (number) => (written ??= inexactNumbers(text ?? "")).has(number),
  };
  const inner = unwrapInput(node, { value, toolName: compiled.name, aliases, repairs });
  return { value: coerce(coercion, node, { value: inner, path: "", mayWrap: false }), repairs };
}

/** Numbers in a text that JavaScript would write differently: 1.0, 1e3, more digits than a double holds. */
function inexactNumbers(text: string): Set<number> {
  const written = text.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu) ?? [];
  return new Set(written.filter((digits) => String(Number(digits)) !== digits).map(Number));
}

function accept({ prepared }: Run, attempt: Attempt, result: Result): Validated {
  const output = result.issues === undefined ? result.value : undefined;
  const { defaults } = prepared;
  const value = defaults === undefined ? output : fillDefaults(defaults, output);
  const ignored = ignoredKeys(attempt.value, output);
  const repairs = ignored.length === 0 ? attempt.repairs : [...attempt.repairs, ...ignored];
  return { ok: true, value, repairs };
}

/** Reports keys that the validator removed: the tool does not see them, and the model should know. */
function ignoredKeys(given: unknown, output: unknown): Repair[] {
  if (given === output || !isRecord(given) || !isRecord(output)) return [];
  return Object.keys(given)
    .filter((key) => !Object.hasOwn(output, key))
    .map((key) => ({
      path: pointer("", key),
      kind: "ignored-key",
      message: `${key} is not an input of this tool and was ignored.`,
    }));
}

/** Reports the attempt with the fewest issues. */
function refuse({ compiled, prepared }: Run, failures: readonly Failure[]): Validated {
  const [first] = failures;
  const nearest = failures.reduce(
    (best, other) => (other.issues.length < best.issues.length ? other : best),
    first ?? { value: undefined, issues: [] },
  );
  const issues = issuesOf(prepared.node, nearest);
  return { ok: false, issues, ...wordIssues(compiled, issues) };
}

/** Creates the parts of an input; returns a promise only if a converter has to be loaded first. */
function prepare(compiled: CompiledInput): PreparedInput | Promise<PreparedInput> {
  const published = publishedSchema(compiled.source.input);
  if (!(published instanceof Promise)) return keep(compiled, published);
  return published.then((schema) => keep(compiled, schema));
}

function keep(compiled: CompiledInput, published: JsonSchema | undefined): PreparedInput {
  const { input, inputAliases = {}, freeText = [] } = compiled.source;
  const node = published === undefined ? undefined : nodeAt(published, published);
  const isPlain = !isSchemaPair(input) && !isStandardSchema(input);
  const prepared: PreparedInput = {
    check: checkOf(input),
    node,
    shape: node === undefined ? undefined : inputShape(node),
    defaults: node === undefined || !isPlain ? undefined : defaultsOf(node),
    aliases: new Map(Object.entries(inputAliases)),
    freeText: new Set(freeText),
  };
  compiled.prepared = prepared;
  return prepared;
}

function checkOf(input: InputSchema): Check {
  const schema = isSchemaPair(input) ? input.schema : input;
  if (!isStandardSchema(schema)) return jsonSchemaValidator(schema);
  const standard = schema["~standard"];
  return (value) => standard.validate(value);
}
