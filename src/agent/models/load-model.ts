import {
  aFlag,
  aFunction,
  anObject,
  argumentError,
  aText,
  checkedArgument,
  checkedOptions,
  ToolError,
  type Form,
  type ModelInfo,
} from "../../core/index.ts";
import { aModelInfo } from "../../text/index.ts";
import { adaptModel } from "./ai-sdk/language-model.ts";
import { loadLanguageModel, type ProviderOptions } from "./ai-sdk/load-provider.ts";
import { providerNames } from "./ai-sdk/provider-table.ts";
import type { Model } from "./model.ts";
import { parseScript } from "./script/parse-script.ts";
import { scriptedModel } from "./script/scripted-model.ts";

/** Aliases, catalog and provider options for loading a model by name. */
export interface LoadModelOptions extends ProviderOptions {
  /** Reads the file named by `script:<file>`, as in `(file) => readFile(file, "utf8")`; needed for scripts only. */
  readonly readText?: (file: string) => Promise<string>;
  /** Short names of models, as in `{ fast: "anthropic:claude-haiku-4-5" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * Sizes and prices of models, keyed by `provider:model`. haft knows none itself, because they change.
   *
   * @example
   * await loadModel("openai:gpt-5", {
   *   catalog: { "openai:gpt-5": { contextTokens: 400_000, usdPerMTok: { input: 1.25, output: 10 } } },
   * });
   */
  readonly catalog?: Readonly<Record<string, ModelInfo>>;
  /**
   * Whether an answer may have several calls.
   *
   * @default true
   */
  readonly parallelCalls?: boolean;
}

const forms = {
  readText: aFunction,
  aliases: { is: "an object of names of models", values: aText },
  catalog: { is: "an object of sizes and prices by model", values: aModelInfo },
  parallelCalls: aFlag,
  baseUrl: aText,
  apiKeyEnv: aText,
  env: anObject,
} satisfies Record<keyof LoadModelOptions, Form>;

/**
 * Creates the model named by `spec`: `script:<file>` plays a script, `provider:model` calls a provider through its AI
 * SDK package, which is loaded now, and a name in `aliases` is what it names there. Rejects with a TypeError for options
 * that do not exist or are not of their type, and with a ToolError for a model that cannot be had.
 */
export async function loadModel(spec: string, options: LoadModelOptions = {}): Promise<Model> {
  const checked = checkedOptions("loadModel", options, forms);
  const id = resolveAlias(checkedArgument("spec", spec, aText), checked.aliases);
  const colon = id.indexOf(":");
  const name = id.slice(colon + 1);
  if (colon < 1 || name === "") throw notAModel(id, spec, checked);
  const info = ownEntry(checked.catalog, id);
  const provider = id.slice(0, colon);
  if (provider === "script") {
    const model = scriptedModel(await parseScript(await read(name, checked), name));
    return info === undefined ? model : { ...model, info };
  }
  const loaded = await loadLanguageModel(provider, name, checked);
  const { parallelCalls } = checked;
  if (parallelCalls === false && loaded.provider.oneCall === undefined) {
    throw new ToolError(
      "INVALID_INPUT",
      `${provider} cannot be limited to one call in an answer.`,
      {
        hint: "Omit parallelCalls, or use another provider.",
      },
    );
  }
  return adaptModel(loaded.model, loaded.provider, {
    id,
    ...(loaded.baseUrl === undefined ? {} : { baseUrl: loaded.baseUrl }),
    ...(info === undefined ? {} : { info }),
    ...(parallelCalls === undefined ? {} : { parallelCalls }),
  });
}

/** Model that a name stands for; an alias may name another alias. */
function resolveAlias(spec: string, aliases: LoadModelOptions["aliases"]): string {
  const seen = new Set<string>();
  for (let name = spec; ;) {
    const next = ownEntry(aliases, name);
    if (next === undefined) return name;
    seen.add(name);
    if (seen.has(next)) {
      throw new ToolError(
        "INVALID_INPUT",
        `The model alias ${JSON.stringify(spec)} names itself.`,
        {
          hint: "Give it the name of a model, as in provider:model.",
        },
      );
    }
    name = next;
  }
}

function ownEntry<T>(entries: Readonly<Record<string, T>> = {}, key: string): T | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

function notAModel(id: string, spec: string, { aliases = {} }: LoadModelOptions): ToolError {
  const names = Object.keys(aliases).filter((name) => name !== spec);
  const known = names.length === 0 ? "" : `, or an alias: ${names.join(", ")}`;
  return new ToolError("INVALID_INPUT", `${JSON.stringify(id)} is not a model.`, {
    hint: `Write provider:model, with one of ${providerNames.join(", ")}, or script:<file>${known}.`,
  });
}

async function read(file: string, { readText }: LoadModelOptions): Promise<string> {
  if (readText === undefined) {
    throw argumentError(
      'loadModel needs readText to read a script, as in { readText: (file) => readFile(file, "utf8") }.',
    );
  }
  return await readText(file);
}
