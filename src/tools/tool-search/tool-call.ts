import { z } from "zod";
import { defineTool, ToolError, type Call, type Tool } from "../../core/index.ts";
import { parseInput } from "../../schema/index.ts";
import { isRecord } from "../../text/index.ts";

/** Finds the tool that a model means by a name. */
interface ToolNames {
  resolve(name: string): { readonly name: string } | undefined;
}

/** Returns the call inside an envelope, or the same call if it is not an envelope that can be read. */
export type OpenEnvelope = (call: Call, registry: ToolNames) => Call;

/** The tool that carries calls of others, and the function that takes them out. */
export interface Envelope {
  readonly toolCall: Tool;
  readonly openEnvelope: OpenEnvelope;
}

const nameKeys: ReadonlySet<string> = new Set(["name", "tool", "tool_name"]);
const inputKeys: ReadonlySet<string> = new Set(["arguments", "args", "input", "parameters"]);

/**
 * An envelope for calls of other tools. The kit opens it before the first step, so every step sees the tool inside;
 * only an envelope that cannot be opened runs, to say why.
 */
export const toolCall = defineTool({
  name: "tool_call",
  displayName: "Call a found tool",
  description: "Call a tool that ToolSearch found.",
  category: "tools",
  source: { id: "built-in", name: "haft", kind: "built-in" },
  input: z.strictObject({
    name: z.string().min(1).describe("Name of the tool."),
    arguments: z.looseObject({}).optional().describe("Its input."),
  }),
  touches: [],
  signature: ({ name }) => `tool_call ${name}`,

  run({ name }) {
    throw new ToolError(
      "INVALID_INPUT",
      isEnvelope(name)
        ? "tool_call cannot call itself."
        : "The call inside tool_call is not complete JSON, so it was not run.",
      { hint: "Send it again: the name of a tool, and its input as an object in arguments." },
    );
  },
});

export const openEnvelope: OpenEnvelope = (call, registry) => {
  try {
    // Name and input of an incomplete call may be cut off.
    if (!isEnvelope(registry.resolve(call.name)?.name) || call.incomplete === true) return call;
    const inner = readEnvelope(call.input);
    if (inner === undefined || isEnvelope(registry.resolve(inner.name)?.name)) return call;
    return { ...call, ...inner };
  } catch {
    // A call of any form is refused by the first step.
    return call;
  }
};

function isEnvelope(name: string | undefined): boolean {
  return name === toolCall.name;
}

/** Name and input of the call inside; undefined if a part is missing, twice there or not known. */
function readEnvelope(
  given: unknown,
): { readonly name: string; readonly input: unknown } | undefined {
  const parsed = typeof given === "string" ? parseInput(given) : undefined;
  const value = parsed?.kind === "ok" ? parsed.value : given;
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  const names = entries.filter(([key]) => nameKeys.has(key)).map(([, name]) => name);
  const inputs = entries.filter(([key]) => inputKeys.has(key)).map(([, input]) => input);
  const [name] = names;
  const isWhole = names.length === 1 && inputs.length <= 1;
  if (!isWhole || entries.length > names.length + inputs.length) return undefined;
  if (typeof name !== "string" || name === "") return undefined;
  return { name, input: inputs[0] ?? {} };
}
