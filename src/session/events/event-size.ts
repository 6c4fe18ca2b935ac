import type { HaftEvent } from "../../core/index.ts";
import { isObject } from "../../text/index.ts";

/** Maximum number of values visited to weigh one event. */
const maxWeighed = 10_000;
const maxWeighedDepth = 200;

/**
 * Number of characters in those texts of an event that a model or a tool can make long, as far as they are visited.
 * Every event is weighed, so this allocates nothing and skips parts that are always short.
 */
export function charsOf(event: HaftEvent): number {
  const walk = { chars: 0, left: maxWeighed };
  if (event.type === "call-start") {
    weigh(event.call, walk, 0);
  } else if (event.type === "call-decided") {
    weigh(event.input, walk, 0);
    weigh(event.effects, walk, 0);
  } else if (event.type === "call-end") {
    const { content, text, structuredContent, title, summary, metadata, error } = event.outcome;
    walk.chars += text.length + title.length + summary.length;
    const [first] = content;
    if (content.length === 1 && first?.type === "text") walk.chars += first.text.length;
    else weigh(content, walk, 0);
    weigh(structuredContent, walk, 0);
    weigh(metadata, walk, 0);
    weigh(error, walk, 0);
  } else {
    weigh(event, walk, 0);
  }
  return walk.chars;
}

function weigh(value: unknown, walk: { chars: number; left: number }, depth: number): void {
  if (typeof value === "string") {
    walk.chars += value.length;
    return;
  }
  if (!isObject(value) || depth > maxWeighedDepth) return;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (let index = 0; index < list.length && walk.left > 0; index += 1) {
      walk.left -= 1;
      weigh(list[index], walk, depth + 1);
    }
    return;
  }
  for (const key in value) {
    if (walk.left <= 0) return;
    walk.left -= 1;
    weigh(value[key], walk, depth + 1);
  }
}
