import {
  ToolError,
  type CreatedDefinition,
  type CreatedTools,
  type Effect,
  type GivenTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  type UserReply,
} from "../core/index.ts";
import { createdTool } from "./created-tool.ts";
import { effectsOfCall } from "./declared-effects.ts";
import { checkDefinition } from "./definition.ts";
import { describeTool } from "./describe.ts";
import { createdDirectory } from "./stored-tools.ts";
import { tryExamples } from "./try-examples.ts";

/** Actions of a kit for tools that are created while it runs. */
export interface CreatedToolsPlace {
  /** Whether a sandbox holds programs to what they declare. */
  readonly isEnforced: () => Promise<boolean>;
  /** Returns the definition of a created tool; undefined if the name is free. Throws if another tool has the name. */
  readonly definitionOf: (name: string) => CreatedDefinition | undefined;
  /** Adds a tool, or replaces the created tool of its name, and shows it to the session. */
  readonly add: (tool: Tool, definition: CreatedDefinition, sessionId: string | undefined) => void;
  /** Undefined where no files are read. */
  readonly storage: CreatedStorage | undefined;
}

/** Stores the files of tools for later sessions. */
export interface CreatedStorage {
  /** Whether later sessions use stored files only after the user has trusted them. */
  readonly needsTrust: () => Promise<boolean>;
  /**
   * Returns why the files must not be written, in sentences: a rule, the mode, or files that are not those of
   * the version in use. Undefined if they may be.
   */
  readonly refusal: (
    definition: CreatedDefinition,
    before: CreatedDefinition | undefined,
    agentId: string | undefined,
  ) => Promise<string | undefined>;
  readonly store: (definition: CreatedDefinition) => Promise<void>;
}

const useIt = "Use it";
const refuseIt = "Refuse";
const storeIt = "Store it";
const onlyNow = "Only this session";

/** The service that tries, shows and adds created tools. */
export function createdToolsOf(place: CreatedToolsPlace): CreatedTools {
  return {
    async effects(given) {
      const definition = validDefinition(given);
      // Without effects the user is not asked about a definition that is refused anyway.
      if (definition === undefined) return [];
      return exampleEffects(definition, await place.isEnforced());
    },
    create: async (given, context) => await create(checkDefinition(given), place, context),
  };
}

function validDefinition(given: GivenTool): CreatedDefinition | undefined {
  try {
    return checkDefinition(given);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** Effects of a call with each example. The question to the user is one more. */
function exampleEffects(definition: CreatedDefinition, isEnforced: boolean): readonly Effect[] {
  const all = definition.examples.flatMap(({ input }) =>
    effectsOfCall(definition, input, isEnforced),
  );
  const distinct = new Map(all.map((effect) => [JSON.stringify(effect), effect]));
  return [...distinct.values(), { kind: "interact" }];
}

async function create(
  definition: CreatedDefinition,
  place: CreatedToolsPlace,
  context: ToolContext,
): Promise<ToolResult> {
  const { name } = definition;
  const before = place.definitionOf(name);
  const isEnforced = await place.isEnforced();
  const tried = await tryExamples(definition, context);
  const failed = tried.filter(({ isAsExpected }) => !isAsExpected);
  if (failed.length > 0) throw exampleError(name, failed);
  const question = describeTool({ definition, tried, before, isEnforced });
  await requireYes(question, context);
  place.add(createdTool(definition, { isEnforced }), definition, context.sessionId);
  const note = await offerStorage({ definition, before }, place, context);
  const verb = before === undefined ? "added" : "replaced";
  return {
    content: `The user approved ${name}. It is ${verb}; call it like any other tool.${note}`,
    title: `Tool ${name}`,
    summary: verb,
    metadata: { name, isEnforced },
  };
}

async function requireYes(question: string, { ask }: ToolContext): Promise<void> {
  const reply = await ask({
    kind: "question",
    header: "The agent wrote this tool.",
    question,
    options: [
      { label: useIt, description: "for this session" },
      { label: refuseIt, description: "or say in your own words what to change" },
    ],
  });
  if (chose(reply, useIt)) return;
  if (reply.kind === "automatic") {
    throw new ToolError("APPROVAL_REQUIRED", "No user has read the tool, so it was not added.", {
      hint: "Continue without it: questions are answered automatically here.",
    });
  }
  const reason = reasonOf(reply);
  throw new ToolError(
    "DENIED_BY_USER",
    `The user refused the tool${reason === undefined ? "." : `: ${reason}`}`,
    { hint: "Change it as the user says, or do without it." },
  );
}

/** Asks whether later sessions get the tool as well. Returns a sentence for the model. */
async function offerStorage(
  {
    definition,
    before,
  }: { readonly definition: CreatedDefinition; readonly before: CreatedDefinition | undefined },
  { storage }: CreatedToolsPlace,
  { ask, agentId }: ToolContext,
): Promise<string> {
  if (storage === undefined) return "";
  const { name } = definition;
  const refusal = await storage.refusal(definition, before, agentId);
  if (refusal !== undefined) return ` It is not stored. ${refusal}`;
  const trust = (await storage.needsTrust())
    ? " once the workspace is trusted (haft trust add)"
    : "";
  const reply = await ask({
    kind: "question",
    header: `It is added for this session.`,
    question: `Store ${name} in ${createdDirectory}/${name}, so that later sessions have it${trust}?`,
    options: [{ label: storeIt }, { label: onlyNow }],
  });
  if (!chose(reply, storeIt)) return " It is not stored.";
  // Rules and files may have changed while the user was asked.
  const late = await storage.refusal(definition, before, agentId);
  if (late !== undefined) return ` It is not stored. ${late}`;
  await storage.store(definition);
  const use = trust === "" ? "" : `; later sessions have it${trust}`;
  return ` It is stored in ${createdDirectory}/${name}${use}.`;
}

function chose(reply: UserReply, label: string): boolean {
  return reply.kind === "answer" && reply.choices.length === 1 && reply.choices[0] === label;
}

function reasonOf(reply: UserReply): string | undefined {
  if (reply.kind === "refused") return reply.reason;
  return reply.kind === "answer" ? reply.text : undefined;
}

function exampleError(name: string, failed: Awaited<ReturnType<typeof tryExamples>>): ToolError {
  const lines = failed.map(({ example, text }) => {
    const expected =
      example.expect === undefined ? "" : `, expected ${JSON.stringify(example.expect)}`;
    return `- ${JSON.stringify(example.input)} gave ${JSON.stringify(text.slice(0, 1000))}${expected}`;
  });
  return new ToolError("TOOL_FAILED", [`Examples of ${name} failed:`, ...lines].join("\n"), {
    hint: "Fix the body or the examples; the user was not asked.",
  });
}
