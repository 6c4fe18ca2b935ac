import type {
  Host,
  NativeSearch,
  SearchCaller,
  SearchService,
  WebSearch,
} from "../../core/index.ts";
import type { Model } from "../../agent/index.ts";
import { createWebSearch } from "../../web/index.ts";
import type { ActiveRun, ActiveRuns } from "../runs/active-runs.ts";
import type { KitModels } from "../runs/models.ts";
import type { LoadedSettings } from "../../workspace/index.ts";

export interface KitWebOptions {
  readonly host: Host;
  readonly settings: Pick<LoadedSettings, "webSearch">;
  readonly custom: readonly SearchService[] | undefined;
  readonly models: KitModels;
  readonly runs: ActiveRuns;
}

/** Tokens that are reserved for what a provider reads during a search. */
const reservedInput = 20_000;

/** Opens the searches of a kit. */
export function openSearch({
  host,
  settings,
  custom = [],
  models,
  runs,
}: KitWebOptions): WebSearch {
  return createWebSearch({
    net: host.net,
    clock: host.clock,
    settings: settings.webSearch,
    custom,
    variable: (name) => host.info.users?.variables[name],
    native: async (caller) => await nativeService(caller, { models, runs }),
  });
}

/** Search of the model of the run that searches, otherwise of the kit's; its tokens count in the budget of the run. */
async function nativeService(
  caller: SearchCaller,
  { models, runs }: Pick<KitWebOptions, "models" | "runs">,
): Promise<{ readonly model: string; readonly search: NativeSearch } | undefined> {
  const run = [...runs.values()].find(
    ({ sessionId, agentId }) => sessionId === caller.sessionId && agentId === caller.agentId,
  );
  const model = run?.model ?? (await mainModel(models));
  if (model?.search === undefined) return undefined;
  return { model: model.id, search: paid(model, model.search, run) };
}

/** The model of the kit; undefined for one that cannot be used here, which a run then reports. */
async function mainModel({
  main,
  open,
}: Pick<KitModels, "main" | "open">): Promise<Model | undefined> {
  return main === undefined ? undefined : await open(main).catch(() => undefined);
}

function paid(model: Model, search: NativeSearch, run: ActiveRun | undefined): NativeSearch {
  return {
    ...search,
    async find(query, options) {
      const reserved = run?.budget.reserve({
        model,
        inputTokens: reservedInput,
        maxOutputTokens: undefined,
      });
      try {
        const found = await search.find(query, options);
        reserved?.settle(found.usage);
        return found;
      } catch (error) {
        reserved?.settle({ input: 0, output: 0 });
        throw error;
      }
    },
  };
}
