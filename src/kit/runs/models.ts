import type { Model } from "../../agent/index.ts";
import type { BackgroundModel, Host, ModelInfo, ModelSettings } from "../../core/index.ts";
import type { ToolRanker } from "../../registry/index.ts";
import type { ActiveRuns } from "./active-runs.ts";

/** A model, or its name: `provider:model`, `script:file`, or an alias of the settings. */
export type ModelChoice = Model | string;

/** Models of a kit. */
export interface KitModels {
  /** Model of a run that names none; undefined where none is known. */
  readonly main: ModelChoice | undefined;
  /** Model for work in the background; undefined: the model of the run. */
  readonly background: ModelChoice | undefined;
  /** Opens a model that is named. Rejects with a ToolError for one that cannot be used. */
  open(choice: ModelChoice): Promise<Model>;
  /** Whether the provider of `main` searches the web itself, as far as its name says. */
  readonly searches: boolean;
  /** Tokens of a request and its answer that `main` takes; undefined where that is not known. */
  readonly contextTokens: number | undefined;
  /** Puts the best matches of ToolSearch in order; undefined: their words decide. */
  readonly ranker: ToolRanker | undefined;
  /** Service for tools; undefined where no model is known. */
  readonly service: BackgroundModel | undefined;
}

export interface KitModelsOptions {
  readonly model: ModelChoice | undefined;
  readonly backgroundModel: ModelChoice | undefined;
  readonly settings: ModelSettings;
  readonly host: Host;
  /** Directory from which scripts are named. */
  readonly workspace: string;
  readonly runs: ActiveRuns;
}

/** Maximum bytes of a script. */
const maxScriptBytes = 16_000_000;

export function kitModels(options: KitModelsOptions): KitModels {
  const { host, workspace, runs } = options;
  const { default: defaultModel, background: ofSettings, aliases, catalog } = options.settings;
  const main = options.model ?? defaultModel;
  const background = options.backgroundModel ?? ofSettings;
  const readText = async (file: string): Promise<string> => {
    const path = await host.fs.canonical(file, { base: workspace });
    const { bytes } = await host.fs.readFile(path, { maxBytes: maxScriptBytes });
    return new TextDecoder().decode(bytes);
  };
  const open = async (choice: ModelChoice): Promise<Model> => {
    if (typeof choice !== "string") return choice;
    const { loadModel } = await import("../../agent/index.ts");
    return await loadModel(choice, {
      readText,
      ...(aliases === undefined ? {} : { aliases }),
      ...(catalog === undefined ? {} : { catalog }),
    });
  };
  const ofCatalog = (name: string): ModelInfo | undefined =>
    catalog !== undefined && Object.hasOwn(catalog, name) ? catalog[name] : undefined;
  const asked = background ?? main;
  let questions = 0;
  const service: BackgroundModel | undefined =
    asked === undefined
      ? undefined
      : {
          async ask(request) {
            const { askOnce } = await import("../../agent/index.ts");
            const run = request.runId === undefined ? undefined : runs.get(request.runId);
            questions += 1;
            return await askOnce(await open(asked), request, {
              clock: host.clock,
              budget: run?.budget,
              signal: request.signal ?? new AbortController().signal,
              seed: `question:${questions}`,
            });
          },
        };
  return {
    main,
    background,
    open,
    searches:
      typeof main === "string"
        ? /^(?:anthropic|openai|google|xai):/u.test(fullName(main, aliases))
        : main?.search !== undefined,
    contextTokens: (typeof main === "string" ? ofCatalog(fullName(main, aliases)) : main?.info)
      ?.contextTokens,
    ranker: toolRanker(options, service),
    service,
  };
}

function toolRanker(
  { settings, host }: KitModelsOptions,
  model: BackgroundModel | undefined,
): ToolRanker | undefined {
  const { toolRanking: by = "none", embeddings } = settings;
  const { clock, net, info } = host;
  if (by === "none") return undefined;
  if (by === "background") {
    return model === undefined
      ? { by, missing: "No model is known that could rank tools." }
      : { by, model, clock };
  }
  if (embeddings === undefined) return { by, missing: "The setting models.embeddings is missing." };
  const { apiKeyEnv, ...endpoint } = embeddings;
  const key = apiKeyEnv === undefined ? undefined : info.users?.variables[apiKeyEnv];
  if (apiKeyEnv !== undefined && (key ?? "") === "") {
    return { by, missing: `The environment variable ${apiKeyEnv} is not set.` };
  }
  return { by, endpoint: { ...endpoint, key, net }, clock };
}

/** The name that an alias stands for, or the name itself. */
function fullName(name: string, aliases: ModelSettings["aliases"] = {}, left = 9): string {
  const model = Object.hasOwn(aliases, name) && left > 0 ? aliases[name] : undefined;
  return model === undefined ? name : fullName(model, aliases, left - 1);
}
