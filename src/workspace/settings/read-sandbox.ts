import { nearestName } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { SandboxSettings } from "./settings.ts";

/** Problem in a `sandbox` setting, and how it is handled. */
export interface SandboxProblem {
  /** Path below `sandbox`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

export interface ReadSandbox {
  readonly values: SandboxSettings;
  readonly problems: readonly SandboxProblem[];
}

export const requires = ["off", "best-effort", "enforced"] as const;
export const overlays = ["off", "undo", "preview"] as const;
const names = ["require", "driver", "network", "overlay", "through", "secrets"];

/** Validates confinement settings. A value that cannot be read is replaced by the strictest one it could mean. */
export function readSandbox(given: unknown): ReadSandbox {
  const problems: SandboxProblem[] = [];
  const wrong = (path: readonly string[], message: string, hint: string): void => {
    problems.push({ path, message, hint });
  };
  if (given === undefined) return { values: {}, problems };
  if (!isRecord(given)) {
    wrong([], "`sandbox` is an object.", 'It is taken as { "require": "enforced" }.');
    return { values: { require: "enforced" }, problems };
  }
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const nearest = nearestName(name, names);
    const meant = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
    wrong(
      [name],
      `There is no setting \`sandbox.${name}\`.`,
      `There are ${names.join(", ")}.${meant}`,
    );
  }
  const { require, driver, network, overlay, through, secrets } = given;
  const values: { -readonly [Name in keyof SandboxSettings]: SandboxSettings[Name] } = {};
  if (require !== undefined) {
    values.require = oneOf(requires, require) ?? "enforced";
    if (values.require !== require) {
      wrong(["require"], `\`sandbox.require\` is ${quoted(requires)}.`, "It is taken as enforced.");
    }
  }
  if (overlay !== undefined) {
    values.overlay = oneOf(overlays, overlay) ?? "preview";
    if (values.overlay !== overlay) {
      wrong(["overlay"], `\`sandbox.overlay\` is ${quoted(overlays)}.`, "It is taken as preview.");
    }
  }
  if (network !== undefined) {
    const read = networkOf(network);
    values.network = read ?? "none";
    if (read === undefined) {
      const message = '`sandbox.network` is "open", "none" or { "hosts": [...] }.';
      wrong(["network"], message, "It is taken as none.");
    }
  }
  if (typeof driver === "string") values.driver = driver;
  else if (driver !== undefined) wrong(["driver"], "`sandbox.driver` is a text.", "It is ignored.");
  if (isTexts(through)) values.through = through;
  else if (through !== undefined) {
    wrong(["through"], "`sandbox.through` is a list of texts.", "It is ignored.");
  }
  if (secrets !== undefined) {
    const read = readSecrets(secrets);
    values.secrets = read.values;
    for (const path of read.problems) {
      wrong(["secrets", ...path], wrongSecrets, "What is not one of those is ignored.");
    }
  }
  return { values, problems };
}

const wrongSecrets =
  '`sandbox.secrets` is { "add": [...], "open": [...] }, of paths that begin with / or ~/.';

type Secrets = NonNullable<SandboxSettings["secrets"]>;

/** Readable part of `secrets`, and the paths of what cannot be read. */
export function readSecrets(given: unknown): {
  readonly values: Secrets;
  readonly problems: readonly (readonly string[])[];
} {
  if (!isRecord(given)) return { values: {}, problems: [[]] };
  const problems = Object.keys(given)
    .filter((name) => name !== "add" && name !== "open")
    .map((name) => [name]);
  const paths = (name: "add" | "open"): readonly string[] => {
    const list: unknown = given[name] ?? [];
    const all: readonly unknown[] = Array.isArray(list) ? list : [undefined];
    const found = all.filter((each) => typeof each === "string" && /^(?:~?\/)/u.test(each));
    if (found.length < all.length) problems.push([name]);
    return found.map(String);
  };
  const [add, open] = [paths("add"), paths("open")];
  return {
    values: { ...(add.length === 0 ? {} : { add }), ...(open.length === 0 ? {} : { open }) },
    problems,
  };
}

/** Merges secrets. Any source may add one; only a source that may widen can open one. */
function mergeSecrets(
  { add = [], open = [] }: Secrets,
  own: Secrets | undefined,
  mayWiden: boolean,
): Secrets {
  const all = [...new Set([...add, ...(own?.add ?? [])])];
  const opened = [...new Set([...open, ...(mayWiden ? (own?.open ?? []) : [])])];
  return {
    ...(all.length === 0 ? {} : { add: all }),
    ...(opened.length === 0 ? {} : { open: opened }),
  };
}

/** Settings of one source, applied over those of the sources below it. */
export interface SandboxLayer {
  readonly values: SandboxSettings;
  /** Whether it may loosen the settings below it; otherwise it may only tighten them. */
  readonly mayWiden: boolean;
}

/** Merges the layers, the most specific one last. Also lists what a layer asked for and did not get. */
export function mergeSandbox(layers: readonly SandboxLayer[]): {
  readonly values: SandboxSettings;
  readonly withheld: readonly { readonly layer: SandboxLayer; readonly what: string }[];
} {
  let values: SandboxSettings = {};
  const withheld: { readonly layer: SandboxLayer; readonly what: string }[] = [];
  for (const layer of layers) {
    const { mayWiden, values: own } = layer;
    const taken = Object.entries(own).filter(([name, value]) => {
      if (name === "secrets") return false;
      if (mayWiden || isStricter(name, value, values)) return true;
      withheld.push({ layer, what: `sandbox.${name} ${JSON.stringify(value)}` });
      return false;
    });
    const secrets = mergeSecrets(values.secrets ?? {}, own.secrets, mayWiden);
    if (!mayWiden && own.secrets?.open !== undefined) {
      withheld.push({ layer, what: `sandbox.secrets.open ${JSON.stringify(own.secrets.open)}` });
    }
    values = {
      ...values,
      ...Object.fromEntries(taken),
      ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    };
  }
  return { values, withheld };
}

/** Whether a value is at least as strict as the one in effect, or as the default if none is set. */
function isStricter(name: string, value: unknown, now: SandboxSettings): boolean {
  switch (name) {
    case "require":
      return rank(requires, value) >= rank(requires, now.require ?? "best-effort");
    case "overlay":
      return rank(overlays, value) >= rank(overlays, now.overlay ?? "undo");
    case "network":
      return value === "none" || (now.network ?? "open") === "open";
    default:
      return false;
  }
}

function rank(order: readonly string[], value: unknown): number {
  return typeof value === "string" ? order.indexOf(value) : -1;
}

function networkOf(value: unknown): SandboxSettings["network"] {
  if (value === "open" || value === "none") return value;
  if (!isRecord(value) || Object.keys(value).length !== 1 || !isTexts(value["hosts"])) {
    return undefined;
  }
  return { hosts: value["hosts"] };
}

function oneOf<T extends string>(options: readonly T[], value: unknown): T | undefined {
  return options.find((option) => option === value);
}

function quoted(options: readonly string[]): string {
  return options.map((option) => JSON.stringify(option)).join(", ");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
