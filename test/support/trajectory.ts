import { isDeepStrictEqual } from "node:util";

/** A call as a provider recorded it. */
export interface RecordedCall {
  /** Id of the provider; it may be empty, and it may repeat. */
  readonly id: string;
  readonly name: string;
  /** JSON text of the arguments. */
  readonly input: string;
}

export interface RecordedResult {
  readonly text: string;
  readonly isError: boolean;
}

/** An answer of the model with the results of its calls, in call order. */
export interface RecordedTurn {
  readonly text: string;
  readonly calls: readonly RecordedCall[];
  readonly results: readonly RecordedResult[];
}

/** Actions of the model after one message of the user. */
export interface RecordedTask {
  readonly text: string;
  readonly turns: readonly RecordedTurn[];
}

type Json = Readonly<Record<string, unknown>>;
type Item =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: RecordedCall }
  | { readonly kind: "result"; readonly id: string; readonly result: RecordedResult };

/**
 * Reads a trajectory of JSON lines: messages of OpenAI (chat or responses) or Anthropic, in order. Throws for a line
 * that is none of these, and for a result without a call. Calls at the end without results are left out.
 */
export function readTrajectory(lines: string): readonly RecordedTask[] {
  const items: Item[] = [];
  for (const [index, line] of lines.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed: unknown = JSON.parse(line);
    if (!isJson(parsed)) throw new TypeError(`Line ${index + 1} is not an object.`);
    const found = itemsOf(parsed);
    if (found === undefined) throw new TypeError(`Line ${index + 1} has an unknown form: ${line}`);
    items.push(...found);
  }
  return tasksOf(items);
}

function itemsOf(line: Json): readonly Item[] | undefined {
  const { role, type, content } = line;
  if (role === "system" || role === "developer" || type === "reasoning") return [];
  if (type === "function_call") {
    return [callItem(line["call_id"], line["name"], line["arguments"])];
  }
  if (type === "function_call_output") return [resultItem(line["call_id"], line["output"], false)];
  if (role === "tool") return [resultItem(line["tool_call_id"], content, false)];
  if (role === "user") return userItems(content);
  if (role !== "assistant") return undefined;
  const calls = listOf(line["tool_calls"]).map(({ id, function: called }) =>
    isJson(called) ? callItem(id, called["name"], called["arguments"]) : callItem(id, "", ""),
  );
  return [...assistantItems(content), ...calls];
}

function userItems(content: unknown): readonly Item[] {
  const results = listOf(content).filter(({ type }) => type === "tool_result");
  const text = textOf(content);
  return [
    ...results.map((part) =>
      resultItem(part["tool_use_id"], part["content"], part["is_error"] === true),
    ),
    ...(text === "" ? [] : [{ kind: "user" as const, text }]),
  ];
}

function assistantItems(content: unknown): readonly Item[] {
  const text = textOf(content);
  const calls = listOf(content).filter(({ type }) => type === "tool_use");
  return [
    ...(text === "" ? [] : [{ kind: "text" as const, text }]),
    ...calls.map(({ id, name, input }) => callItem(id, name, JSON.stringify(input))),
  ];
}

function callItem(id: unknown, name: unknown, input: unknown): Item {
  return { kind: "call", call: { id: plain(id), name: plain(name), input: plain(input) } };
}

function resultItem(id: unknown, content: unknown, isError: boolean): Item {
  return { kind: "result", id: plain(id), result: { text: textOf(content), isError } };
}

/** Groups items: texts and calls are one answer until a result or a message of the user follows. */
function tasksOf(items: readonly Item[]): readonly RecordedTask[] {
  const tasks: { text: string; turns: RecordedTurn[] }[] = [];
  let turn: { text: string; calls: RecordedCall[]; results: (RecordedResult | undefined)[] } =
    empty();
  const close = (): void => {
    const { text, calls, results } = turn;
    turn = empty();
    const isAnswered = calls.every((_call, index) => results[index] !== undefined);
    if ((text === "" && calls.length === 0) || !isAnswered) return;
    const known = results.flatMap((result) => result ?? []);
    tasks.at(-1)?.turns.push({ text, calls, results: known });
  };
  for (const item of items) {
    switch (item.kind) {
      case "user":
        close();
        tasks.push({ text: item.text, turns: [] });
        break;
      case "text":
        if (turn.results.length > 0) close();
        turn.text += item.text;
        break;
      case "call":
        if (turn.results.length > 0) close();
        turn.calls.push(item.call);
        break;
      case "result": {
        // Where ids repeat, results come in call order.
        const index = turn.calls.findIndex(
          ({ id }, at) => id === item.id && turn.results[at] === undefined,
        );
        if (index === -1) throw new TypeError(`The result ${item.id} has no call before it.`);
        turn.results[index] = item.result;
      }
    }
  }
  close();
  return tasks;
}

function empty() {
  return { text: "", calls: [], results: [] };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Whether two texts of arguments mean the same. */
export function areSameArguments(one: unknown, other: string): boolean {
  try {
    return isDeepStrictEqual(one, JSON.parse(other === "" ? "{}" : other));
  } catch {
    return one === other;
  }
}
