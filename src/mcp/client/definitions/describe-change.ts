import { stableJson, type ToolDefinition } from "./tool-definition.ts";

/** Characters of one side of a difference. */
const maxSideChars = 240;

/** Difference between two definitions of a tool, for the user who is asked about it. */
export function describeChange(before: ToolDefinition, after: ToolDefinition): string {
  const parts = [
    difference("title", before.title ?? "", after.title ?? ""),
    difference("description", before.description, after.description),
    difference("input schema", stableJson(before.inputSchema), stableJson(after.inputSchema)),
    difference(
      "annotations",
      stableJson(before.annotations ?? {}),
      stableJson(after.annotations ?? {}),
    ),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** The part in which two texts differ, with a little of what is around it. */
function difference(what: string, before: string, after: string): string {
  if (before === after) return "";
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return `${what} was ${side(before, start, end)}, is now ${side(after, start, end)}`;
}

const around = 30;

function side(text: string, start: number, end: number): string {
  const from = Math.max(0, start - around);
  const to = Math.min(text.length, text.length - end + around);
  const part = text.slice(from, to);
  const short = part.length <= maxSideChars ? part : `${part.slice(0, maxSideChars)}…`;
  return JSON.stringify(`${from > 0 ? "…" : ""}${short}${to < text.length ? "…" : ""}`);
}
