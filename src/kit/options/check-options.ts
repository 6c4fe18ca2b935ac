import {
  aCount,
  aFlag,
  aFunction,
  aListOf,
  anObject,
  argumentError,
  aSignal,
  aText,
  checkedOptions,
  defaultLimits,
  modes,
  objectWith,
  oneOf,
  plainData,
  texts,
  type Fields,
  type Form,
} from "../../core/index.ts";
import { isModelName, modelProblem } from "../../text/index.ts";
import {
  overlays,
  type DeferralSettings,
  contextShare,
  readSetting,
  requires,
  searchChoices,
  secretSettings,
} from "../../workspace/index.ts";
import { aHost, services } from "./check-arguments.ts";
import { type SandboxOption, type ToolkitOptions, type ToolSelection } from "./options.ts";

/** Reads each option of a toolkit once. Throws a TypeError for options that no toolkit can be opened with. */
export function checkOptions(given: ToolkitOptions): ToolkitOptions {
  const options = checkedOptions("createToolkit", given, forms);
  const { secrets } = options.sandbox ?? {};
  if (secrets !== undefined && readSetting(secretSettings, secrets).problems.length > 0) {
    throw argumentError(
      "createToolkit: sandbox.secrets must be { add, open }, lists of paths that begin with / or ~/.",
    );
  }
  return options;
}

/** Rejects an empty path: it would mean the current directory where an unset variable was meant. */
const aPath: Form = {
  is: "a path, a text that is neither empty nor holds a NUL",
  fits: (value) => typeof value === "string" && value !== "" && !value.includes("\0"),
};
const paths = aListOf(aPath, "a list of paths");

function lists(names: readonly string[], items: Form): Form {
  return {
    is: `an object of the lists ${names.join(", ")}`,
    fields: Object.fromEntries(names.map((name) => [name, items])),
  };
}

function numbers(names: object): Form {
  return {
    is: "an object of numbers",
    fields: Object.fromEntries(Object.keys(names).map((name) => [name, aCount])),
  };
}

const limitForms: Fields = {
  ...Object.fromEntries(
    Object.entries(defaultLimits).map(([group, names]) => [group, numbers(names)]),
  ),
  shownChars: { is: "an object of numbers by the names of tools", values: aCount },
};

const aDriver = objectWith(["missing", "report", "prepare"], "a sandbox driver");

const sandboxForms = {
  require: oneOf(requires),
  driver: {
    is: "the name of a driver, or a driver with name, missing, report and prepare",
    fits: (value) => typeof value === "string" || aDriver.fits?.(value) === true,
  },
  network: {
    is: '"none", "open" or { hosts }',
    choices: ["none", "open"],
    fits: (value) => value === "none" || value === "open",
    fields: { hosts: { ...texts, isRequired: true } },
  },
  overlay: oneOf(overlays),
  secrets: { is: "{ add, open }, lists of paths", fields: { add: texts, open: texts } },
  passthrough: texts,
} satisfies Record<keyof SandboxOption, Form>;

const toolForms = {
  include: texts,
  exclude: texts,
  extra: aListOf(anObject, "a list of tools"),
} satisfies Record<keyof ToolSelection, Form>;

const aModelChoice: Form = {
  is: 'a model, or its name as in "provider:model"',
  fits: (value) => isModelName(value) || modelProblem(value) === undefined,
};

/** Form of every option. An unknown one throws, because a mistyped rule or hook would otherwise be ignored silently. */
const forms = {
  workspace: aPath,
  mode: oneOf(modes),
  additionalDirectories: paths,
  dataDirectory: aPath,
  store: objectWith(["area"], "a store, an object with area"),
  settings: {
    is: 'an object, "load" or "none"',
    choices: ["load", "none"],
    fits: (value) => value === "load" || value === "none",
    values: plainData,
  },
  skills: oneOf(["offer", "none"]),
  rules: lists(["allow", "ask", "deny"], aListOf(aText, "a list of rules")),
  trust: aFlag,
  sandbox: { is: "an object", fields: sandboxForms },
  model: aModelChoice,
  backgroundModel: aModelChoice,
  host: aHost,
  tools: { is: "an object of the lists include, exclude and extra", fields: toolForms },
  deferral: {
    is: "an object, as in { threshold: 15 }",
    fields: {
      threshold: {
        is: 'a whole number from 0, a share of the context such as "auto:10%", or false',
        fits: (value) =>
          value === false ||
          (typeof value === "string" && contextShare.test(value)) ||
          (Number.isSafeInteger(value) && Number(value) >= 0),
      },
      calls: oneOf(["auto", "growing", "envelope", "native"]),
    } satisfies Record<keyof DeferralSettings, Form>,
  },
  hooks: lists(["before", "permission", "after"], aListOf(aFunction, "a list of functions")),
  onAsk: aFunction,
  notify: {
    is: "an object of show, desktop and on",
    fields: {
      show: aFunction,
      desktop: aFlag,
      on: aListOf(oneOf(["question", "completion"]), "a list of question and completion"),
    },
  },
  onEvent: aFunction,
  signal: aSignal,
  eventLog: {
    is: '"none", "memory", "file" or a log, an object with a function append',
    choices: ["none", "memory", "file"],
    fits: (value) => value === "none" || value === "memory" || value === "file" || isLog(value),
  },
  sessions: oneOf(["file", "memory", "none"]),
  services,
  searchServices: aListOf(
    objectWith(["request", "results"], "a search service, an object with request and results"),
    "a list of search services",
  ),
  tracer: objectWith(["startSpan"], "a tracer, an object with a function startSpan"),
  maxChars: aCount,
  limits: { is: "an object of groups", fields: limitForms },
  search: { is: "an object", fields: { defaultExcludes: oneOf(searchChoices.defaultExcludes) } },
  grep: { is: "an object", fields: { markMatches: oneOf(searchChoices.markMatches) } },
  background: oneOf(["promote", "on-request", "none"]),
  redactSecrets: aFlag,
} satisfies Record<keyof ToolkitOptions, Form>;

function isLog(value: unknown): boolean {
  return objectWith(["append"], "").fits?.(value) === true;
}
