import type { DefinitionFormat } from "../../core/index.ts";

/** Subset of JSON Schema that a provider accepts in a tool definition. */
export interface Dialect {
  /** Accepted keywords; undefined if all are accepted. */
  readonly keywords: ReadonlySet<string> | undefined;
  /** Accepted formats; undefined if all are accepted. */
  readonly formats: ReadonlySet<string> | undefined;
  /** Whether the top level may be a union of objects. */
  readonly hasRootUnions: boolean;
  /** Whether every object must forbid undeclared keys. */
  readonly isClosed: boolean;
  /** Whether every property must be required; an optional one then accepts null. */
  readonly isAllRequired: boolean;
  /** Whether keywords next to a `$ref` take effect. */
  readonly hasReferenceSiblings: boolean;
  readonly propertyName: RegExp | undefined;
  /** Matches syntax that a pattern must not contain. */
  readonly patternLimit: RegExp | undefined;
}

/** Selects the dialect of a provider; only OpenAI and Anthropic have a strict one. */
export function dialectOf(format: DefinitionFormat, strict: boolean): Dialect {
  switch (format) {
    case "openai":
    case "openai-chat":
    case "openai-responses":
      return strict ? openaiStrict : openai;
    case "anthropic":
      return strict ? anthropicStrict : anthropic;
    case "gemini":
      return gemini;
    case "mcp":
      return open;
  }
}

const open: Dialect = {
  keywords: undefined,
  formats: undefined,
  hasRootUnions: true,
  isClosed: false,
  isAllRequired: false,
  hasReferenceSiblings: true,
  propertyName: undefined,
  patternLimit: undefined,
};

const openai: Dialect = { ...open, hasRootUnions: false };

const anthropic: Dialect = {
  ...open,
  hasRootUnions: false,
  propertyName: /^[\w.-]{1,64}$/u,
};

const structure = [
  "type",
  "title",
  "description",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "$ref",
  "$defs",
];

const commonFormats = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

const openaiStrict: Dialect = {
  ...openai,
  keywords: new Set([
    ...structure,
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
  ]),
  formats: commonFormats,
  isClosed: true,
  isAllRequired: true,
  hasReferenceSiblings: false,
  patternLimit: /\(\?[=!<]/u,
};

const anthropicStrict: Dialect = {
  ...anthropic,
  keywords: new Set([...structure, "pattern", "format", "default"]),
  formats: new Set([...commonFormats, "uri"]),
  isClosed: true,
  hasReferenceSiblings: false,
  patternLimit: /\(\?[=!<]|\\[bB1-9]/u,
};

const gemini: Dialect = {
  ...open,
  keywords: new Set([
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
  ]),
  hasRootUnions: false,
  hasReferenceSiblings: false,
  propertyName: /^[A-Za-z_]\w{0,63}$/u,
};
