import type { Repair } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { foldName } from "./key-names.ts";
import { parseContainer } from "../parse/parse-input.ts";
import { propertiesOf, requiredOf, takesAnyKey, type SchemaNode } from "../validate/schema-node.ts";

/**
 * Extracts the arguments from a wrapper that a model added: `{"arguments": {…}}`, `{"name": …, "arguments": {…}}`, the
 * tool's own name as the key, a list of one. Returns the same value if there is no wrapper.
 */
export function unwrapInput(
  node: SchemaNode,
  { value, toolName, aliases, repairs }: Wrapping,
): unknown {
  const names = [...Object.keys(propertiesOf(node)), ...[...aliases.values()].flat()];
  const known = new Set(names.map(foldName));
  let current = value;
  for (let layers = 0; layers < maxLayers; layers++) {
    const inner = unwrapOnce(node, { value: current, toolName, known });
    if (inner === undefined) break;
    repairs.push({ path: "", kind: "wrapped-input", message: inner.message });
    current = inner.value;
  }
  return current;
}

export interface Wrapping {
  readonly value: unknown;
  readonly toolName: string;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly repairs: Repair[];
}

const maxLayers = 3;
const wrapperKeys = new Set([
  "arguments",
  "argument",
  "args",
  "kwargs",
  "input",
  "inputs",
  "params",
  "parameters",
  "toolinput",
  "toolargs",
  "toolarguments",
  "functionargs",
  "functionarguments",
  "actioninput",
]);
const nameKeys = new Set(["name", "tool", "toolname", "function", "functionname", "action"]);
const labelKeys = new Set(["type", "id", "callid", "toolcallid"]);

interface Unwrapped {
  readonly value: unknown;
  readonly message: string;
}

function unwrapOnce(
  node: SchemaNode,
  { value, toolName, known }: { value: unknown; toolName: string; known: ReadonlySet<string> },
): Unwrapped | undefined {
  if (value === null && requiredOf(node).length === 0) {
    return { value: {}, message: "null was taken as no arguments." };
  }
  if (Array.isArray(value)) {
    const [only] = value;
    return value.length === 1 && isRecord(only)
      ? { value: only, message: "The arguments stood in a list of one." }
      : undefined;
  }
  if (!isRecord(value)) return undefined;
  // If every key is content, only missing required keys outside of it prove a wrapper.
  if (takesAnyKey(node) && requiredOf(node).length === 0) return undefined;
  const properties = propertiesOf(node);
  const keys = Object.keys(value);
  if (keys.length === 0 || keys.some((key) => Object.hasOwn(properties, key))) return undefined;
  const carriers = keys.filter((key) => isCarrier(key, toolName));
  const [carrier] = carriers;
  if (carrier === undefined || carriers.length > 1) return undefined;
  const others = keys.filter((key) => key !== carrier);
  if (!others.every((key) => isLabel(key, value[key], toolName))) return undefined;
  const inner = containerOf(value[carrier]);
  if (inner === undefined || !isAbout(known, inner)) return undefined;
  return { value: inner, message: `The arguments stood inside ${JSON.stringify(carrier)}.` };
}

function isCarrier(key: string, toolName: string): boolean {
  return wrapperKeys.has(foldName(key)) || foldName(key) === foldName(toolName);
}

/** Whether a key only identifies the call; a name must be this tool's. */
function isLabel(key: string, value: unknown, toolName: string): boolean {
  if (typeof value !== "string") return false;
  if (nameKeys.has(foldName(key))) return foldName(value) === foldName(toolName);
  return labelKeys.has(foldName(key));
}

function containerOf(value: unknown): unknown {
  if (typeof value === "string") return parseContainer(value);
  return isRecord(value) || Array.isArray(value) ? value : undefined;
}

/** Whether the inner value fits this schema: it has a declared key, another wrapper, or no keys at all. */
function isAbout(known: ReadonlySet<string>, inner: unknown): boolean {
  if (Array.isArray(inner)) return inner.length === 1 && isAbout(known, inner[0]);
  if (!isRecord(inner)) return false;
  const names = Object.keys(inner).map(foldName);
  return names.length === 0 || names.some((name) => known.has(name) || wrapperKeys.has(name));
}
