import { isRecord } from "../../../text/index.ts";

/** A parameter whose value a server over HTTP also wants as a header, for the proxies before it. */
interface ParamHeader {
  /** Names of properties that lead to it. */
  readonly path: readonly string[];
  readonly name: string;
}

const key = "x-mcp-header";
const token = /^[\w!#$%&'*+.^`|~-]+$/u;
const types: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

/** Why the headers that a schema declares cannot be sent; undefined if they can. */
export function headerFault(schema: unknown): string | undefined {
  const found = headersIn(schema);
  const names = found.map(({ name }) => name.toLowerCase());
  if (found.some(({ isValid }) => !isValid)) return "it declares a header that is not valid";
  return new Set(names).size < names.length ? "it declares one header twice" : undefined;
}

/**
 * The function that gives the headers of one call of a tool with this schema; undefined if it declares none. A value
 * that is absent, or of another type, gives no header.
 */
export function paramHeaders(
  schema: unknown,
): ((input: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>) | undefined {
  const declared = headersIn(schema);
  return declared.length === 0 ? undefined : (input) => headersOf(declared, input);
}

function headersOf(
  declared: readonly ParamHeader[],
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    declared.flatMap(({ path, name }): [string, string][] => {
      let value: unknown = input;
      for (const each of path) {
        value = isRecord(value) && Object.hasOwn(value, each) ? value[each] : undefined;
      }
      const isPrimitive =
        ["string", "boolean"].includes(typeof value) || Number.isSafeInteger(value);
      return isPrimitive ? [[`Mcp-Param-${name}`, encoded(String(value))]] : [];
    }),
  );
}

/** Declarations anywhere in a schema. Only those of properties at the top, or of objects in them, are valid. */
function headersIn(
  schema: unknown,
  path: readonly string[] = [],
  isReachable = true,
): readonly (ParamHeader & { readonly isValid: boolean })[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => headersIn(each, path, false));
  if (!isRecord(schema)) return [];
  const name = schema[key];
  const own =
    name === undefined
      ? []
      : [
          {
            path,
            name: typeof name === "string" ? name : "",
            isValid:
              isReachable &&
              path.length > 0 &&
              typeof name === "string" &&
              token.test(name) &&
              types.has(schema["type"]),
          },
        ];
  const inside = Object.entries(schema).flatMap(([word, each]) => {
    if (word !== "properties" || !isRecord(each)) {
      return data.has(word) ? [] : headersIn(each, path, false);
    }
    return Object.entries(each).flatMap(([property, child]) =>
      headersIn(child, [...path, property], isReachable),
    );
  });
  return [...own, ...inside];
}

/** Keywords whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(["default", "enum", "const", "examples", key]);

/** A header has no line breaks, no other alphabets and no blanks at its ends; such a value is encoded. */
function encoded(value: string): string {
  const isPlain = /^[!-~](?:[ -~]*[!-~])?$/u.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value, "utf8").toString("base64")}?=`;
}
