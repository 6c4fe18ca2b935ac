import { argumentError } from "../../../core/index.ts";
import type { Script } from "./script.ts";

/** Error in a script, with its position. */
export interface ScriptProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type CheckedScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problems: readonly ScriptProblem[] };

/** Returns the script; throws a TypeError that names the first invalid place. */
export function checkedScript(value: unknown): Script {
  const checked = checkScript(value);
  if (checked.ok) return checked.script;
  const [first] = checked.problems;
  throw argumentError(
    `scriptedModel: ${first === undefined ? "the script" : scriptPlace(first.path)} ${first?.message ?? "cannot be played"}.`,
    { hint: "docs/reference/script.md describes the format." },
  );
}

/** Place in a script, as in `turns[0].calls[1].name`. */
export function scriptPlace(path: Path): string {
  if (path.length === 0) return "the script";
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${key}`))
    .join("");
}

/** Whether a value is a script in a format that this version supports. */
export function checkScript(value: unknown): CheckedScript {
  const problems: ScriptProblem[] = [];
  script(value, [], (path, message) => problems.push({ path, message }));
  return problems.length === 0 && isChecked(value, problems)
    ? { ok: true, script: value }
    : { ok: false, problems };
}

function isChecked(_value: unknown, problems: readonly ScriptProblem[]): _value is Script {
  return problems.length === 0;
}

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;
type Check = (value: unknown, path: Path, report: Report) => void;

const text: Check = (value, path, report) => {
  if (typeof value !== "string") report(path, "must be a text");
};
const nonEmptyText: Check = (value, path, report) => {
  if (typeof value !== "string" || value === "") report(path, "must be a text that is not empty");
};
const flag: Check = (value, path, report) => {
  if (typeof value !== "boolean") report(path, "must be true or false");
};
const count: Check = (value, path, report) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) report(path, "must be a whole number");
};
const expression: Check = (value, path, report) => {
  if (typeof value !== "string") return report(path, "must be a regular expression as text");
  try {
    void new RegExp(value, "u");
  } catch (error) {
    report(path, `is not a regular expression: ${error instanceof Error ? error.message : ""}`);
  }
};
const anything: Check = () => undefined;

function oneOf(...allowed: readonly (string | number)[]): Check {
  return (value, path, report) => {
    if (!allowed.some((each) => each === value)) {
      report(path, `must be ${allowed.map((each) => JSON.stringify(each)).join(" or ")}`);
    }
  };
}

function listOf(item: Check): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report(path, "must be a list");
    for (const [index, each] of value.entries()) item(each, [...path, index], report);
  };
}

/** Checks an object. Keys in `required` must be present; a key in neither list is reported with the valid ones. */
function object(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  return (value, path, report) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return report(path, "must be an object");
    }
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) report(path, `lacks ${JSON.stringify(key)}`);
    }
    for (const [key, each] of Object.entries(value)) {
      const check = checks.get(key);
      if (check === undefined) {
        report([...path, key], `is not known here; known are ${[...checks.keys()].join(", ")}`);
      } else {
        check(each, [...path, key], report);
      }
    }
  };
}

const call: Check = (value, path, report) => {
  callObject(value, path, report);
  if (typeof value === "object" && value !== null && "input" in value && "inputText" in value) {
    report(path, "has both input and inputText; keep one");
  }
};
const callObject = object(
  { name: nonEmptyText },
  { input: anything, inputText: text, id: nonEmptyText, incomplete: flag },
);
const condition = object(
  {},
  {
    lastResultMatches: expression,
    lastResultOf: nonEmptyText,
    lastResultIsError: flag,
    anyResultMatches: expression,
    taskMatches: expression,
    turn: count,
  },
);
const replyKeys = {
  reasoning: text,
  text,
  calls: listOf(call),
  finish: oneOf("stop", "tool-calls", "length", "content-filter", "error", "interrupted", "other"),
  usage: object({ input: count, output: count }),
  error: object({ message: nonEmptyText }, { retryable: flag }),
};
const rule = object(
  // oxlint-disable-next-line unicorn/no-thenable -- a key of the format; the value is a check, never awaited
  { when: condition, then: object({}, replyKeys) },
  { times: count },
);
const script = object(
  {
    format: oneOf(1),
    name: nonEmptyText,
    turns: listOf(object({}, { when: condition, ...replyKeys })),
  },
  { rules: listOf(rule) },
);
