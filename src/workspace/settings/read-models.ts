import type { ModelInfo, ModelSettings } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

export interface ModelsProblem {
  /** Path below `models`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

export interface ReadModels {
  readonly values: ModelSettings;
  readonly problems: readonly ModelsProblem[];
}

const names = ["default", "background", "aliases", "catalog"] as const;
const sizes = ["contextTokens", "maxOutputTokens"] as const;
const prices = ["input", "output", "cacheRead", "cacheWrite"] as const;
const ignored = "It is ignored.";

/** Validates the setting `models`. A value that cannot be read is reported and left out. */
export function readModels(given: unknown): ReadModels {
  const problems: ModelsProblem[] = [];
  const report = (path: readonly string[], message: string): void => {
    problems.push({ path, message, hint: ignored });
  };
  if (given === undefined) return { values: {}, problems };
  if (!isRecord(given)) {
    report([], "`models` is an object.");
    return { values: {}, problems };
  }
  reportUnknown(given, { path: [], known: names, report });
  return {
    values: {
      ...readName(given, "default", report),
      ...readName(given, "background", report),
      ...(given["aliases"] === undefined ? {} : { aliases: readAliases(given["aliases"], report) }),
      ...(given["catalog"] === undefined ? {} : { catalog: readCatalog(given["catalog"], report) }),
    },
    problems,
  };
}

/** Merges settings, the least specific first. Of two aliases or entries with the same name, the more specific counts. */
export function mergeModels(layers: readonly ModelSettings[]): ModelSettings {
  const merged: ModelSettings = Object.assign({}, ...layers);
  const aliases = Object.assign(Object.create(null), ...layers.map((layer) => layer.aliases));
  const catalog = Object.assign(Object.create(null), ...layers.map((layer) => layer.catalog));
  return { ...merged, aliases, catalog };
}

type Report = (path: readonly string[], message: string) => void;

function readName(
  given: Readonly<Record<string, unknown>>,
  name: "default" | "background",
  report: Report,
): ModelSettings {
  const value = given[name];
  if (value === undefined) return {};
  if (typeof value === "string" && value !== "") return { [name]: value };
  report(
    [name],
    `\`models.${name}\` is a model, as in "anthropic:claude-sonnet-4-5", or an alias.`,
  );
  return {};
}

function readAliases(given: unknown, report: Report): Readonly<Record<string, string>> {
  if (!isRecord(given)) {
    report(["aliases"], '`models.aliases` is an object, as in { "fast": "provider:model" }.');
    return {};
  }
  const found: Record<string, string> = Object.create(null);
  for (const [name, model] of Object.entries(given)) {
    if (typeof model === "string" && model !== "") found[name] = model;
    else
      report(["aliases", name], `\`models.aliases.${name}\` is a model, as in "provider:model".`);
  }
  return found;
}

function readCatalog(given: unknown, report: Report): Readonly<Record<string, ModelInfo>> {
  if (!isRecord(given)) {
    report(["catalog"], '`models.catalog` is an object, as in { "provider:model": { … } }.');
    return {};
  }
  const found: Record<string, ModelInfo> = Object.create(null);
  for (const [model, entry] of Object.entries(given)) {
    const info = readEntry(entry, ["catalog", model], report);
    if (info !== undefined) found[model] = info;
  }
  return found;
}

function readEntry(given: unknown, path: readonly string[], report: Report): ModelInfo | undefined {
  if (!isRecord(given)) {
    report(
      path,
      `\`models.${path.join(".")}\` is an object with contextTokens, maxOutputTokens, usdPerMTok.`,
    );
    return undefined;
  }
  reportUnknown(given, { path, known: [...sizes, "usdPerMTok"], report });
  const counts = readNumbers(given, {
    path,
    keys: sizes,
    isValid: isCount,
    is: "a whole number above 0",
    report,
  });
  const usd = given["usdPerMTok"];
  if (usd === undefined) return counts;
  const pricePath = [...path, "usdPerMTok"];
  if (!isRecord(usd) || usd["input"] === undefined || usd["output"] === undefined) {
    report(
      pricePath,
      `\`models.${pricePath.join(".")}\` has at least input and output, in US dollars for a million tokens.`,
    );
    return counts;
  }
  reportUnknown(usd, { path: pricePath, known: prices, report });
  const read = readNumbers(usd, {
    path: pricePath,
    keys: prices,
    isValid: isPrice,
    is: "a number of at least 0",
    report,
  });
  const { input, output } = read;
  // Half a price list would count a part of the tokens as free.
  if (input === undefined || output === undefined || Object.keys(read).length < countKnown(usd))
    return counts;
  return { ...counts, usdPerMTok: { ...read, input, output } };
}

function countKnown(usd: Readonly<Record<string, unknown>>): number {
  return prices.filter((name) => usd[name] !== undefined).length;
}

interface Numbers<K extends string> {
  readonly path: readonly string[];
  readonly keys: readonly K[];
  readonly isValid: (value: number) => boolean;
  readonly is: string;
  readonly report: Report;
}

function readNumbers<K extends string>(
  given: Readonly<Record<string, unknown>>,
  { path, keys, isValid, is, report }: Numbers<K>,
): Partial<Record<K, number>> {
  const found: Partial<Record<K, number>> = {};
  for (const key of keys) {
    const value = given[key];
    if (value === undefined) continue;
    if (typeof value === "number" && isValid(value)) found[key] = value;
    else report([...path, key], `\`models.${[...path, key].join(".")}\` is ${is}.`);
  }
  return found;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function isPrice(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}

function reportUnknown(
  given: Readonly<Record<string, unknown>>,
  {
    path,
    known,
    report,
  }: {
    readonly path: readonly string[];
    readonly known: readonly string[];
    readonly report: Report;
  },
): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const name = ["models", ...path, key].join(".");
    report([...path, key], `There is no setting \`${name}\`; there are ${known.join(", ")}.`);
  }
}
