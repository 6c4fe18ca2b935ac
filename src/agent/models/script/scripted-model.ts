import { contentText, ToolError } from "../../../core/index.ts";
import type { Message, ToolResultPart } from "../../../session/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { checkedScript } from "./check-script.ts";
import { inputTextOf, playedTurns } from "./played-turns.ts";
import type { Script, ScriptCondition, ScriptReply } from "./script.ts";

/** Minimum characters of a streamed piece: small enough to show that the text is streamed. */
const pieceChars = 24;

/**
 * Creates a model that plays a script from its start, or from where the conversation of its first request is in the
 * script. It does not reason: its output does not depend on the task. Throws a TypeError for a script in another form.
 */
export function scriptedModel(given: Script): Model {
  const script = checkedScript(given);
  const player = scriptPlayer(script);
  return {
    id: `script:${script.name}`,
    async *stream(request) {
      yield* replyEvents(player.next(request));
    },
  };
}

interface ScriptPlayer {
  next(request: ModelRequest): ScriptReply;
}

function scriptPlayer(script: Script): ScriptPlayer {
  const rules = (script.rules ?? []).map((rule) => ({ rule, left: rule.times ?? Infinity }));
  let turnIndex = 0;
  let request = 0;
  return {
    next({ messages }) {
      if (request === 0) turnIndex = playedTurns(script.turns, messages);
      request += 1;
      const scene = sceneOf(messages, request);
      for (const entry of rules) {
        const groups = entry.left > 0 ? holds(entry.rule.when, scene) : undefined;
        if (groups === undefined) continue;
        entry.left -= 1;
        return filledIn(entry.rule.then, groups);
      }
      for (const turn of script.turns.slice(turnIndex)) {
        turnIndex += 1;
        const groups = holds(turn.when ?? {}, scene);
        if (groups !== undefined) return filledIn(turn, groups);
      }
      throw new ToolError(
        "MODEL_FAILED",
        `The script ${script.name} has no turn for request ${request}.`,
        { hint: "Give it a turn without calls at its end.", retryable: false },
      );
    },
  };
}

/** State that a condition can test. */
interface Scene {
  readonly request: number;
  readonly task: string;
  readonly lastResults: readonly ToolResultPart[];
  readonly allResults: readonly ToolResultPart[];
}

function sceneOf(messages: readonly Message[], request: number): Scene {
  const user = messages.findLast((message) => message.role === "user");
  const tool = messages.findLast((message) => message.role === "tool");
  return {
    request,
    task: user === undefined ? "" : contentText(user.content),
    lastResults: tool?.content ?? [],
    allResults: messages.flatMap((message) => (message.role === "tool" ? message.content : [])),
  };
}

/** Group matches of the condition's expressions, or undefined if the condition does not hold. */
function holds(condition: ScriptCondition, scene: Scene): ReadonlyMap<string, string> | undefined {
  const { lastResultOf, lastResultIsError, lastResultMatches } = condition;
  const groups = new Map<string, string>();
  const matches = (expression: string | undefined, texts: readonly string[]): boolean =>
    expression === undefined || texts.some((text) => collect(expression, text, groups));

  if (condition.turn !== undefined && condition.turn !== scene.request) return undefined;
  const last = scene.lastResults.filter(
    ({ name }) => lastResultOf === undefined || name === lastResultOf,
  );
  if (lastResultOf !== undefined && last.length === 0) return undefined;
  if (lastResultIsError !== undefined) {
    if (last.some(({ isError }) => isError) !== lastResultIsError) return undefined;
  }
  return matches(condition.taskMatches, [scene.task]) &&
    matches(condition.anyResultMatches, scene.allResults.map(textOf)) &&
    matches(lastResultMatches, last.map(textOf))
    ? groups
    : undefined;
}

function textOf({ content }: ToolResultPart): string {
  return contentText(content);
}

function collect(expression: string, text: string, groups: Map<string, string>): boolean {
  const match = new RegExp(expression, "u").exec(text);
  if (match === null) return false;
  for (const [index, value] of match.entries()) groups.set(String(index), value ?? "");
  for (const [name, value] of Object.entries(match.groups ?? {})) groups.set(name, value ?? "");
  return true;
}

/** Replaces every `{{name}}` that matched in a reply; others stay unchanged. */
function filledIn(reply: ScriptReply, groups: ReadonlyMap<string, string>): ScriptReply {
  const fill = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/gu, (whole, name: string) => groups.get(name) ?? whole);
  const { text, reasoning, calls } = reply;
  return {
    ...reply,
    ...(text === undefined ? {} : { text: fill(text) }),
    ...(reasoning === undefined ? {} : { reasoning: fill(reasoning) }),
    ...(calls === undefined
      ? {}
      : {
          calls: calls.map(({ input, ...call }) => ({
            ...call,
            ...(input === undefined ? {} : { input: fillValue(input, fill) }),
          })),
        }),
  };
}

function fillValue(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((each) => fillValue(each, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fillValue(each, fill)]),
  );
}

function* replyEvents(reply: ScriptReply): Generator<ModelEvent, void, undefined> {
  const { reasoning = "", text = "", calls = [], usage, error } = reply;
  for (const piece of pieces(reasoning)) yield { type: "reasoning", text: piece };
  for (const piece of pieces(text)) yield { type: "text", text: piece };
  if (error !== undefined) {
    throw new ToolError("MODEL_FAILED", error.message, { retryable: error.retryable ?? false });
  }
  for (const call of calls) {
    const { id = "", name, incomplete } = call;
    yield {
      type: "tool-call",
      // A call without an id gets one from the run, unique across runs.
      id,
      name,
      input: inputTextOf(call),
      ...(incomplete === true ? { incomplete } : {}),
    };
  }
  if (usage !== undefined) yield { type: "usage", usage };
  yield { type: "finish", reason: reply.finish ?? (calls.length > 0 ? "tool-calls" : "stop") };
}

function* pieces(text: string): Generator<string, void, undefined> {
  let piece = "";
  for (const [word] of text.matchAll(/\s*\S+\s*/gu)) {
    piece += word;
    if (piece.length < pieceChars) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}
