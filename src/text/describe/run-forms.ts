import {
  aCount,
  aFlag,
  aFunction,
  aListOf,
  anObject,
  aSignal,
  aText,
  objectWith,
  type Fields,
  type Form,
} from "../../core/index.ts";
import { modelProblem } from "./model-problem.ts";

// Options of a run are checked before the agent loop is loaded, and again by the loop itself.

/** Limits of a budget. */
export const budgetForms = {
  maxTurns: aCount,
  maxCalls: aCount,
  maxTokens: aCount,
  maxCost: {
    is: "an amount of US dollars above 0",
    fits: (value) => typeof value === "number" && Number.isFinite(value) && value > 0,
  },
  maxAgents: aCount,
} satisfies Fields;

/** Limits of a run. */
export const aRunLimit: Form = {
  is: "an object of limits",
  fields: { ...budgetForms, deadlineMs: aCount, maxOutputTokens: aCount, idleMs: aCount },
};

export const aBudget: Form = objectWith(
  ["reserve", "takeTurn"],
  "a budget, as createBudget() makes one",
);

const aModel: Form = {
  is: "a model, an object with an id and a stream function",
  fits: (value) => modelProblem(value) === undefined,
};

const aPrompt: Form = {
  is: "a text or a list of parts, as in [{ name, text }]",
  fits: (value) => typeof value === "string",
  items: { is: "a part, as in { name, text }", fields: { name: aText, text: aText } },
};

const messages: Form = aListOf(anObject, "a list of messages");

const requestForms = {
  toolChoice: {
    is: '"auto", "none", "required" or { tool: name }',
    fits: (value) => value === "auto" || value === "none" || value === "required" || hasTool(value),
  },
  temperature: {
    is: "a number, 0 or more",
    fits: (value) => typeof value === "number" && value >= 0 && Number.isFinite(value),
  },
  headers: { is: "an object of texts", values: aText },
  providerOptions: anObject,
} satisfies Fields;

function hasTool(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && typeof Reflect.get(value, "tool") === "string"
  );
}

/** Changes that `prepareTurn` may return. */
export const turnForms = {
  ...requestForms,
  messages,
  system: aPrompt,
  tools: aListOf(aText, "a list of names of tools"),
  model: aModel,
} satisfies Fields;

const aCompaction: Form = {
  is: "an object of options, or false",
  fits: (value) => value === false,
  fields: {
    atTokens: aCount,
    atShare: {
      is: "a number above 0 and at most 1",
      fits: (value) => typeof value === "number" && value > 0 && value <= 1,
    },
    keepTurns: aCount,
    keep: aFunction,
  },
};

const aRunLog: Form = {
  is: "a log of a run, with steps, append and replace",
  fits: (value) =>
    objectWith(["append", "replace"], "").fits?.(value) === true &&
    anObject.fits?.(Reflect.get(Object(value), "steps")) === true,
};

export const aDepth: Form = {
  is: "a whole number, 0 or more",
  fits: (value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
};

/** Accepts any value, because another check has a message of its own. */
const anything: Form = { is: "anything", fits: () => true };

/** Options of a run, without its toolkit. */
export const runForms = {
  ...requestForms,
  model: anything,
  fallbackModels: anything,
  backgroundModel: anything,
  task: anything,
  limits: aRunLimit,
  budget: aBudget,
  system: aPrompt,
  output: {
    is: "a Standard Schema or a JSON Schema",
    fits: (value) => typeof value === "function" || anObject.fits?.(value) === true,
  },
  prepareTurn: aFunction,
  retry: {
    is: "an object of options",
    fields: { attempts: aCount, baseMs: aCount, maxMs: aCount },
  },
  compaction: aCompaction,
  waitForBackground: aFlag,
  messages,
  sessionId: aText,
  agentId: aText,
  parentAgentId: aText,
  depth: aDepth,
  runId: aText,
  tools: anything,
  onAsk: aFunction,
  signal: aSignal,
  log: aRunLog,
  steps: objectWith(["run", "runAll"], "steps, an object with run and runAll"),
  clock: objectWith(["sleep", "timer"], "a clock, an object with sleep and timer"),
} satisfies Fields;
