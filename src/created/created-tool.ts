import {
  defineTool,
  ToolError,
  type CreatedDefinition,
  type JsonSchema,
  type Tool,
  type ToolContext,
  type ToolSource,
} from "../core/index.ts";
import { effectsOfCall } from "./declared-effects.ts";
import { defaultTimeoutMs, refuseServerName } from "./definition.ts";
import { runCreated } from "./run-call.ts";

/** Failures in a row after which a tool is disabled. */
const maxFailures = 3;
/** Milliseconds from the deadline of the program to that of the call. */
const marginMs = 10_000;

/** Whether a created tool can be called, shared by the registries that have it. */
interface Health {
  failures: number;
  disabledBecause: string | undefined;
}

export interface CreatedToolOptions {
  /** Whether a sandbox holds programs to what they declare here. */
  readonly isEnforced: boolean;
  /** Returns why the definition must not be used, such as that its files changed; undefined if it may. */
  readonly verify?: () => Promise<string | undefined>;
  /** Where the tool comes from, with the next step if it is disabled. Default: it was created with CreateTool. */
  readonly origin?: {
    readonly source: ToolSource;
    readonly category: string;
    readonly hint: string;
  };
}

/** Origin of a tool that was created with CreateTool. */
export const createdHere = {
  source: { id: "created", name: "created tools", kind: "custom" },
  category: "created",
  hint: "Fix it in a new version with CreateTool, or do without it.",
} as const;

/** A definition as a tool of a kit. Throws INVALID_INPUT for the name of a server's tool. */
export function createdTool(
  definition: CreatedDefinition,
  { isEnforced, verify, origin = createdHere }: CreatedToolOptions,
): Tool {
  const {
    name,
    description,
    input,
    touches,
    timeout_ms: timeoutMs = defaultTimeoutMs,
  } = definition;
  refuseServerName(name);
  const health: Health = { failures: 0, disabledBecause: undefined };
  const usable = async (): Promise<void> => {
    const why = health.disabledBecause ?? (await verify?.());
    if (why === undefined) return;
    throw new ToolError("UNAVAILABLE", `${name} is disabled: ${why}`, {
      hint: origin.hint,
      retryable: false,
    });
  };
  return defineTool<JsonSchema>({
    name,
    description,
    category: origin.category,
    source: origin.source,
    touches: [...touches, "execute", ...(isEnforced ? [] : (["unknown"] as const))],
    timeoutMs: timeoutMs + marginMs,
    input,
    effects: (values) => effectsOfCall(definition, values, isEnforced),
    async run(values, context) {
      await usable();
      const text = await tracked(health, { definition, values, context, hint: origin.hint });
      return { content: text === "" ? "(no result)" : text, title: name };
    },
  });
}

interface TrackedCall {
  readonly definition: CreatedDefinition;
  readonly values: Readonly<Record<string, unknown>>;
  readonly context: ToolContext;
  readonly hint: string;
}

/** Runs a call and counts its failures: a tool that fails again and again, or tries too much, is not run any more. */
async function tracked(
  health: Health,
  { definition, values, context, hint }: TrackedCall,
): Promise<string> {
  const result = await runCreated({ definition, input: values }, context);
  if (result.kind === "done") {
    health.failures = 0;
    return result.text;
  }
  const { error, isExcess } = result;
  health.failures += 1;
  if (isExcess) health.disabledBecause = error.message;
  else if (health.failures >= maxFailures) {
    health.disabledBecause = `it failed ${maxFailures} times in a row, the last time: ${error.message}`;
  }
  if (health.disabledBecause === undefined) throw error;
  throw new ToolError("TOOL_FAILED", `${error.message} The tool is disabled now.`, { hint });
}
