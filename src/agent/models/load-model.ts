import { argumentError, ToolError } from "../../core/index.ts";
import { aiSdkModel } from "./ai-sdk/language-model.ts";
import { loadLanguageModel, providerNames, type ProviderOptions } from "./ai-sdk/providers.ts";
import type { Model } from "./model.ts";
import { parseScript } from "./script/parse-script.ts";
import { scriptedModel } from "./script/scripted-model.ts";

export interface LoadModelOptions extends ProviderOptions {
  /** Reads the file named by `script:<file>`, as in `(file) => readFile(file, "utf8")`; needed for scripts only. */
  readonly readText?: (file: string) => Promise<string>;
}

/**
 * Creates the model named by `spec`: `script:<file>` plays a script, `provider:model` calls a provider through its AI
 * SDK package, which is loaded now.
 */
export async function loadModel(spec: string, options: LoadModelOptions = {}): Promise<Model> {
  const colon = spec.indexOf(":");
  const provider = spec.slice(0, colon);
  const name = spec.slice(colon + 1);
  if (colon < 1 || name === "") {
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(spec)} names no model.`, {
      hint: `Write provider:model, with one of ${providerNames.join(", ")}, or script:<file>.`,
    });
  }
  if (provider === "script")
    return scriptedModel(await parseScript(await read(name, options), name));
  return aiSdkModel(await loadLanguageModel(provider, name, options), { id: spec });
}

async function read(file: string, { readText }: LoadModelOptions): Promise<string> {
  if (readText === undefined) {
    throw argumentError(
      'loadModel needs readText to read a script, as in { readText: (file) => readFile(file, "utf8") }.',
    );
  }
  return await readText(file);
}
