import type { Coercion } from "./context.ts";
import { accepts } from "../validate/check-schema.ts";
import { isRecord } from "../../text/index.ts";
import { parseContainer } from "../parse/parse-input.ts";
import { below, choicesOf, itemOf, typesOf, type SchemaNode } from "../validate/schema-node.ts";

/** One interpretation of a value that does not fit its schema. */
export interface Reading {
  readonly value: unknown;
  readonly kind: string;
  /** Completes "… was …". */
  readonly told: string;
}

/** Interpretations of a value as a scalar: a number in quotes, JSON in a string, another case. */
export function scalarReadings(
  node: SchemaNode,
  value: unknown,
  coercion: Pick<Coercion, "isInexact">,
): readonly Reading[] {
  const types = typesOf(node) ?? [];
  const choices = choicesOf(node);
  if (typeof value === "string") {
    return [...textReadings(value, types), ...choiceReadings(value, choices)];
  }
  if (typeof value === "number" && types.includes("string") && !coercion.isInexact(value)) {
    const text = numberText(value);
    return text === undefined
      ? []
      : [{ value: text, kind: "number-as-text", told: "a number and was taken as text" }];
  }
  if (typeof value === "boolean" && choices !== undefined) {
    return choiceReadings(String(value), choices);
  }
  const [only] = Array.isArray(value) && value.length === 1 ? value : [];
  if (only !== undefined && only !== null && !types.includes("array")) {
    return [
      { value: only, kind: "unwrapped-item", told: "a list of one and was taken as its item" },
    ];
  }
  return [];
}

/**
 * Interpretations of a value as a list: an object with the keys 0, 1, …, a comma-separated list, or the single item of
 * a list.
 */
export function listReadings(node: SchemaNode, value: unknown): readonly Reading[] {
  if (typesOf(node)?.includes("array") !== true || value === null || value === undefined) return [];
  const item = below(node, itemOf(node, 0) ?? {});
  if (isRecord(value)) {
    // An empty object may be an empty list or a list of one empty object.
    if (Object.keys(value).length === 0) return [];
    const items = indexedItems(value);
    return items === undefined
      ? [wrapped(value)]
      : [{ value: items, kind: "indexed-object", told: "taken as a list" }];
  }
  if (typeof value !== "string") return Array.isArray(value) ? [] : [wrapped(value)];
  if (value.trim() === "") return [];
  // Text that opens a bracket is a list that could not be parsed, never the single item of one.
  if (/^\s*[[{(]/u.test(value)) return [];
  if (!/[,;\n]/u.test(value)) return [wrapped(value)];
  const isChoice = choicesOf(item)?.includes(value) === true;
  return isChoice ? [wrapped(value)] : commaList(item, value);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;
const thousands = /^-?\d{1,3}(?:,\d{3})+$/u;

function textReadings(text: string, types: readonly string[]): readonly Reading[] {
  const trimmed = text.trim();
  const readings: Reading[] = [];
  if ((types.includes("number") || types.includes("integer")) && jsonNumber.test(trimmed)) {
    const value = Number(trimmed);
    const isExact = Number.isSafeInteger(value) || !Number.isInteger(value);
    if (Number.isFinite(value) && (isExact || String(value) === trimmed)) {
      readings.push({ value, kind: "number-in-text", told: "text and was taken as a number" });
    }
  }
  const word = trimmed.toLowerCase();
  if (types.includes("boolean") && (word === "true" || word === "false")) {
    const value = word === "true";
    readings.push({ value, kind: "boolean-in-text", told: "text and was taken as a boolean" });
  }
  if (types.includes("null") && (trimmed === "null" || trimmed === "None")) {
    readings.push({ value: null, kind: "null-in-text", told: "text and was taken as null" });
  }
  if (/^[[{]/u.test(trimmed)) {
    const value = parseContainer(trimmed);
    const type = Array.isArray(value) ? "array" : "object";
    if (value !== undefined && types.includes(type)) {
      readings.push({ value, kind: "json-in-text", told: `text and was taken as an ${type}` });
    }
    // One object as text, although the schema expects a list of objects.
    if (isRecord(value) && types.includes("array")) {
      readings.push({ value: [value], kind: "json-in-text", told: "text and was taken as a list" });
    }
  }
  return readings;
}

/** The only choice that differs in case only, or else in case and separators only. */
function choiceReadings(text: string, choices: readonly unknown[] | undefined): readonly Reading[] {
  const names = choices?.filter((choice) => typeof choice === "string") ?? [];
  for (const fold of [foldCase, foldWord]) {
    const meant = names.filter((name) => fold(name) === fold(text));
    const [value] = meant;
    if (meant.length > 1) return [];
    if (value !== undefined && fold(text) !== "") {
      return [{ value, kind: "choice-spelling", told: `taken as ${JSON.stringify(value)}` }];
    }
  }
  return [];
}

function foldCase(text: string): string {
  return text.trim().toLowerCase();
}

function foldWord(text: string): string {
  return foldCase(text).replaceAll(/[\s_-]+/gu, "");
}

/** Text of a number, if it can be written in one way only. */
function numberText(value: number): string | undefined {
  const text = String(value);
  const isPlain = Number.isInteger(value) ? Number.isSafeInteger(value) : !/[eNI]/u.test(text);
  return isPlain ? text : undefined;
}

function wrapped(value: unknown): Reading {
  return { value: [value], kind: "single-for-list", told: "taken as the only item of a list" };
}

function indexedItems(value: Readonly<Record<string, unknown>>): unknown[] | undefined {
  const keys = Object.keys(value);
  const isIndexed = keys.length > 0 && keys.every((key, index) => key === String(index));
  return isIndexed ? Object.values(value) : undefined;
}

/** Splits text into a list, if no item could contain a comma itself: fixed choices and numbers. */
function commaList(item: SchemaNode, text: string): readonly Reading[] {
  const parts = text.split(",").map((part) => part.trim());
  const types = typesOf(item) ?? [];
  const isNumeric =
    types.every((type) => type === "number" || type === "integer") &&
    types.length > 0 &&
    !thousands.test(text.trim()) &&
    parts.every((part) => jsonNumber.test(part));
  const choices = choicesOf(item);
  const isOfChoices =
    choices !== undefined &&
    parts.every((part) => accepts(item, part) || choiceReadings(part, choices).length === 1);
  return isNumeric || isOfChoices
    ? [{ value: parts, kind: "comma-list", told: "split at its commas into a list" }]
    : [];
}
