import { readLimits, readSearch, readSecrets } from "../workspace/index.ts";
import { checkMode, driverNames, type SandboxOption, type ToolkitOptions } from "./options.ts";

/** Throws a TypeError for what no toolkit can be opened with. */
export function checkOptions(options: ToolkitOptions): void {
  const given: unknown = options;
  if (!isObject(given)) throw new TypeError("createToolkit takes an object of options.");
  const { mode, maxChars, sandbox } = options;
  if (mode !== undefined) checkMode(mode);
  for (const [name, value] of Object.entries(options)) {
    const wanted = shapes.get(name);
    if (wanted === undefined) {
      throw new TypeError(
        `There is no option ${JSON.stringify(name)}. There are: ${[...shapes.keys()].join(", ")}.`,
      );
    }
    if (value !== undefined && !wanted.fits(value)) {
      throw new TypeError(`${name} must be ${wanted.is}.`);
    }
  }
  if (maxChars !== undefined && !(Number.isSafeInteger(maxChars) && maxChars > 0)) {
    throw new TypeError("maxChars must be a whole number above 0.");
  }
  if (options.limits !== undefined) checkLimits(options.limits);
  if (sandbox !== undefined) checkSandbox(sandbox);
  const [problem] = readSearch(options).problems;
  if (problem !== undefined) throw new TypeError(problem.message);
}

/** A mistyped one would be the default, which may hold less than was asked for. */
function checkSandbox(sandbox: SandboxOption): void {
  const { require, driver, network, overlay, through, secrets, ...others } = sandbox;
  if (overlay !== undefined && !["undo", "preview", "off"].includes(overlay)) {
    throw new TypeError('sandbox.overlay must be "undo", "preview" or "off".');
  }
  if (through !== undefined && !texts.fits(through)) {
    throw new TypeError("sandbox.through must be a list of texts.");
  }
  if (secrets !== undefined && readSecrets(secrets).problems.length > 0) {
    throw new TypeError(
      "sandbox.secrets must be { add, open }, lists of paths that begin with / or ~/.",
    );
  }
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new TypeError(`sandbox has no ${JSON.stringify(unknown)}.`);
  if (require !== undefined && !["enforced", "best-effort", "off"].includes(require)) {
    throw new TypeError('sandbox.require must be "enforced", "best-effort" or "off".');
  }
  if (driver !== undefined && !driverNames.some((name) => name === driver)) {
    throw new TypeError(`sandbox.driver must be one of ${driverNames.join(", ")}.`);
  }
  const isNetwork =
    network === undefined ||
    network === "none" ||
    network === "open" ||
    (isObject(network) && isListOf(network["hosts"], text));
  if (!isNetwork) throw new TypeError('sandbox.network must be "none", "open" or { hosts }.');
}

function checkLimits(limits: unknown): void {
  const [problem] = readLimits(limits).problems;
  if (problem === undefined) return;
  throw new TypeError(
    `${problem.message} ${problem.hint.replace(/^It is ignored\. ?/u, "")}`.trim(),
  );
}

interface Shape {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

const text: Shape = { is: "a text", fits: (value) => typeof value === "string" };
const flag: Shape = { is: "true or false", fits: (value) => typeof value === "boolean" };
const callable: Shape = { is: "a function", fits: (value) => typeof value === "function" };
const object: Shape = { is: "an object", fits: isObject };
const texts: Shape = { is: "a list of texts", fits: (value) => isListOf(value, text) };

/** What a mistyped option would otherwise do is nothing at all: a rule or a hook that never holds. */
const shapes: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    workspace: text,
    mode: text,
    additionalDirectories: texts,
    dataDirectory: text,
    settings: {
      is: 'an object, "load" or "none"',
      fits: (value: unknown) => value === "load" || value === "none" || isObject(value),
    },
    rules: lists(["allow", "ask", "deny"], text),
    trust: flag,
    sandbox: object,
    host: object,
    tools: {
      is: "an object of the lists include, exclude and extra",
      fits: (value: unknown) =>
        isObject(value) &&
        hasOnly(value, ["include", "exclude", "extra"]) &&
        fitsOrMissing(texts, value["include"]) &&
        fitsOrMissing(texts, value["exclude"]) &&
        (value["extra"] === undefined || isListOf(value["extra"], object)),
    },
    hooks: lists(["before", "permission", "after"], callable),
    onAsk: callable,
    onEvent: callable,
    signal: { is: "an AbortSignal", fits: (value: unknown) => value instanceof AbortSignal },
    eventLog: {
      is: 'a log, "none", "memory" or "file"',
      fits: (value: unknown) =>
        value === "none" || value === "memory" || value === "file" || isObject(value),
    },
    services: object,
    tracer: object,
    maxChars: { is: "a whole number above 0", fits: (value: unknown) => typeof value === "number" },
    limits: object,
    search: object,
    grep: object,
    background: {
      is: '"promote", "asked" or "none"',
      fits: (value: unknown) => value === "promote" || value === "asked" || value === "none",
    },
    redactSecrets: flag,
  } satisfies Record<keyof ToolkitOptions, Shape>),
);

function lists(names: readonly string[], item: Shape): Shape {
  return {
    is: `an object of the lists ${names.join(", ")}, each entry ${item.is}`,
    fits: (value) =>
      isObject(value) &&
      hasOnly(value, names) &&
      Object.values(value).every((list) => list === undefined || isListOf(list, item)),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, item: Shape): boolean {
  return Array.isArray(value) && value.every((each: unknown) => item.fits(each));
}

function hasOnly(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

function fitsOrMissing(shape: Shape, value: unknown): boolean {
  return value === undefined || shape.fits(value);
}
