import { artifacts } from "../../artifacts/index.ts";
import { outputsInUse } from "../../background/index.ts";
import { artifactStore, type Limits, type NewEvent, type RunWork } from "../../core/index.ts";
import { boundServices, noBoundServices } from "../agents/bound-agents.ts";
import { secretFilter } from "../event-sink.ts";
import type { KitParts } from "../kit-parts.ts";
import type { ToolkitOptions } from "../options/options.ts";
import { withRun, type ActiveRuns } from "../runs/active-runs.ts";
import type { KitModels } from "../runs/models.ts";
import { kitServices, type KitOwn } from "../services.ts";
import { backgroundServices, tasksDirectories } from "../tasks.ts";
import { kitWeb } from "../web/kit-web.ts";
import type { Place } from "../workspace-context.ts";
import type { OpenHosts } from "./open-hosts.ts";

type Shared = "files" | "notifier" | "storesSessions" | "skills" | "slashCommands" | "skillHubs";

export interface HostPartsOptions extends Pick<KitOwn, Shared | "languageServers"> {
  readonly place: Place;
  readonly limits: Limits;
  readonly hosts: OpenHosts;
  readonly runs: ActiveRuns;
  readonly work: RunWork;
  readonly models: KitModels;
  readonly emit: (event: NewEvent) => void;
}

/** Returns what creates the parts of a kit that depend on the host that it acts on: files, artifacts, tasks, services. */
export function partsOnHost(
  options: ToolkitOptions,
  { place, limits, hosts, runs, work, models, emit, ...shared }: HostPartsOptions,
): KitParts["onHost"] {
  const { redactSecrets = true, background = "promote" } = options;
  return (used, at) => {
    const where = place.on(used);
    const kept = artifacts({
      host: where,
      directory: place.artifactDirectory,
      quota: limits.artifacts,
      inUse: async () => await outputsInUse(where, tasksDirectories(where, place.dataDirectory)),
      filter: redactSecrets ? secretFilter : undefined,
    });
    const beside = backgroundServices(where, {
      place: at,
      tasksOf: place.workspace,
      background,
      redactSecrets,
      limits: limits.bash,
      emit: (event) => emit(withRun(event, runs)),
      work,
      storeOf: (sessionId) => options.services?.get(artifactStore) ?? kept.of(sessionId),
    });
    return {
      releaseHost: hosts.add(where, beside),
      host: where,
      artifacts: kept,
      services: kitServices(options.services, {
        ...shared,
        limits,
        search: place.search,
        environment: place.settings.env,
        artifacts: kept,
        hasAsker: options.onAsk !== undefined,
        ...beside,
        work,
        backgroundModel: models.service,
        ...(models.main === undefined ? noBoundServices : boundServices),
        ...kitWeb({
          host: where,
          settings: place.settings,
          custom: options.searchServices,
          models,
          runs,
        }),
      }),
    };
  };
}
