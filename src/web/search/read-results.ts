import type { WebResult } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/** Names of the members of a result, in the terms of a service. */
export interface ResultNames {
  readonly title?: string;
  readonly url?: string;
  readonly snippet: readonly string[];
  readonly date?: readonly string[];
}

/** Longest passage of a result. */
const maxSnippetChars = 600;

/** Reads a list of results; undefined if it is not a list. Results without an address of the web are left out. */
export function readResults(list: unknown, names: ResultNames): readonly WebResult[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((each: unknown): WebResult[] => {
    if (!isRecord(each)) return [];
    const url = textOf(each[names.url ?? "url"]);
    if (!URL.canParse(url) || !/^https?:$/u.test(new URL(url).protocol)) return [];
    const date = firstText(each, names.date ?? []);
    return [
      {
        title: textOf(each[names.title ?? "title"]) || url,
        url,
        snippet: shortened(firstText(each, names.snippet)),
        ...(date === "" ? {} : { date }),
      },
    ];
  });
}

/** A member of parsed JSON, at any depth. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
}

function firstText(record: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const value = record[name];
    const text = Array.isArray(value) ? value.map(textOf).join(" … ") : textOf(value);
    if (text !== "") return text;
  }
  return "";
}

/** Text without marks for matched words, which some services add. */
function textOf(value: unknown): string {
  if (typeof value !== "string") return "";
  return value
    .replaceAll(/<\/?(?:b|strong|em|i|mark)>/giu, "")
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27);/gu, (_all, name: string) => entities[name] ?? "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
};

function shortened(text: string): string {
  return text.length > maxSnippetChars ? `${text.slice(0, maxSnippetChars)}…` : text;
}
