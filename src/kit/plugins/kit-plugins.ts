import { argumentError, ToolError, type Host, type Toolkit } from "../../core/index.ts";
import {
  loadPlugins,
  pluginInstaller,
  pluginServers,
  type HiddenText,
  type PackagePart,
  type Plugin,
  type PluginPlace,
  type PluginProblem,
  type PluginServer,
  type PluginSource,
  type ReviewedFile,
  type ReviewedPlugin,
  explainedPrograms,
  type ExplainedProgram,
} from "../../workspace/index.ts";
import { IdSource } from "../../text/index.ts";
import type { Place } from "../workspace-context.ts";
import { describeReview } from "./describe-review.ts";

/** An installed plugin, as listed for users. */
export interface PluginListing {
  /** Name, which is part of the names of what it brings. */
  readonly name: string;
  /** Version that it claims; its identity is `hash`. */
  readonly version?: string;
  /** Its purpose. */
  readonly description?: string;
  /** Whether it is installed for this workspace or for all of the user's. */
  readonly scope: "workspace" | "user";
  /** Directory of the installed version. */
  readonly directory: string;
  /** Hash of its files: `sha256:` and 64 hex digits. */
  readonly hash: string;
  /** Source from which it is updated. */
  readonly source: PluginSource;
  /** Parts that it brings. */
  readonly parts: readonly PackagePart[];
  /** Its workspace is not trusted, so that nothing of it runs. */
  readonly needsTrust: boolean;
  /** Reasons for which nothing of it is used. */
  readonly faults: readonly string[];
  /** Everything in its files that has no effect or is wrong. */
  readonly problems: readonly PluginProblem[];
}

/** A plugin as its source has it now. Nothing of it is installed or runs until it is accepted. */
export interface PluginReview {
  /** Name, which is part of the names of what it brings. */
  readonly name: string;
  /** Version that it claims; its identity is `hash`. */
  readonly version?: string;
  /** Its purpose. */
  readonly description?: string;
  /** Hash of its files: `sha256:` and 64 hex digits. */
  readonly hash: string;
  /** Hash of the installed version; absent if it is not installed. */
  readonly installedHash?: string;
  /** Source, with the name in its marketplace. */
  readonly source: PluginSource;
  /** Its files, and those of the installed version that it has no more. */
  readonly files: readonly ReviewedFile[];
  /** Hidden characters and comments in its files. */
  readonly hidden: readonly HiddenText[];
  /** Parts that it brings, with the tools that each part asks for. */
  readonly parts: readonly PackagePart[];
  /** Its scripts, and the commands of its hooks and servers, with their effects. */
  readonly programs: readonly ExplainedProgram[];
  /** Everything in its files that has no effect or is wrong. */
  readonly problems: readonly PluginProblem[];
  /** Lines of plain text that show all of this to a user; each escape of a terminal in them is visible. */
  describe(): readonly string[];
  /**
   * Installs exactly the files of this review, for kits opened from now on. Throws INVALID_INPUT if the plugin cannot be
   * used, STALE_READ if plugins were changed meanwhile.
   */
  accept(): Promise<void>;
}

/** Source of a plugin, and where it is installed. */
export interface PluginReviewOptions {
  /** Directory, https address of a repository, or `owner/name` on GitHub. */
  readonly from: string;
  /** Branch, tag or commit of a repository. Default: its default branch. */
  readonly ref?: string;
  /** Name in the marketplace of the source. Default: the only one. */
  readonly entry?: string;
  /**
   * Whether it is installed for the user or for the project.
   *
   * @default "user"
   */
  readonly scope?: "user" | "project";
}

/** Plugins of a kit: those that are installed, and ways to install and remove one. */
export interface KitPlugins {
  /** Lists the installed plugins as they are now, also those that are not used. */
  list(): Promise<readonly PluginListing[]>;
  /**
   * Reads a plugin from its source and shows what it would bring and change. Runs nothing. Throws NOT_FOUND if there is
   * none, INVALID_INPUT for files that no plugin may have, COMMAND_FAILED if the repository cannot be read.
   *
   * @example
   * const review = await kit.plugins.review({ from: "acme/tools", entry: "formatter" });
   * console.log(review.parts, review.programs);
   * await review.accept();
   */
  review(options: PluginReviewOptions): Promise<PluginReview>;
  /**
   * Servers of the plugins in use, also those that need trust, which must not be started. Their `verify` is called
   * before one is started.
   */
  servers(): readonly PluginServer[];
  /** Checks the plugin in a directory, whether it is installed or not. */
  check(directory: string): Promise<Omit<PluginReview, "accept">>;
  /** Removes a plugin for kits opened from now on. Throws NOT_FOUND if it is not installed. */
  remove(name: string, options?: Pick<PluginReviewOptions, "scope">): Promise<void>;
}

/** Creates the plugins of a kit; what reads and installs them is loaded on first use. */
export function kitPlugins(
  place: Pick<
    Place,
    | "workspace"
    | "dataDirectory"
    | "anchors"
    | "store"
    | "trusted"
    | "recorded"
    | "plugins"
    | "boundary"
  >,
  host: Host,
  explain: Toolkit["explain"],
): KitPlugins {
  const { workspace, dataDirectory, trusted, recorded } = place;
  const { home } = place.anchors;
  const ids = new IdSource();
  const baseOf = (scope: PluginReviewOptions["scope"] = "user"): string => {
    if (scope !== "user" && scope !== "project") {
      throw argumentError(`scope is "user" or "project", not ${JSON.stringify(scope)}.`);
    }
    return scope === "user" ? home : workspace;
  };
  const placeAt = (base: string): PluginPlace => {
    if (place.store === undefined) {
      throw new ToolError("UNAVAILABLE", "Plugins are not read here.", {
        hint: 'Open the toolkit with settings: "load".',
      });
    }
    const id = ids.next("plugin");
    const directory = `${base}/.haft/plugins/.fetch-${id}`;
    return { base, host, workspace, home, directory, newId: () => ids.next("plugin") };
  };
  const explained = async ({ install: _install, ...given }: ReviewedPlugin) => {
    const programs = await explainedPrograms(given.programs, explain);
    const review = { ...given, programs };
    return { ...review, describe: () => describeReview(review, place.boundary) };
  };
  return {
    async list() {
      if (place.store === undefined) return [];
      const loaded = await loadPlugins({ host, workspace, home, dataDirectory, trusted, recorded });
      const { contentsAt } = await pluginInstaller();
      return await Promise.all(
        (loaded?.all ?? []).map(async (plugin) =>
          listingOf(plugin, await contentsAt(plugin, host)),
        ),
      );
    },
    async review({ scope, ...source }) {
      const { reviewPlugin } = await pluginInstaller();
      const review = await reviewPlugin(source, placeAt(baseOf(scope)));
      return { ...(await explained(review)), accept: async () => void (await review.install()) };
    },
    servers: () => pluginServers(place.plugins),
    async check(directory) {
      const { reviewPlugin } = await pluginInstaller();
      const path = await host.fs.canonical(directory, { base: workspace });
      return await explained(await reviewPlugin({ from: path }, placeAt(home)));
    },
    async remove(name, { scope } = {}) {
      const { removePlugin } = await pluginInstaller();
      await removePlugin(name, placeAt(baseOf(scope)));
    },
  };
}

function listingOf(
  { name, root, hash, scope, source, manifest, faults, needsTrust }: Plugin,
  { parts, problems }: Pick<PluginListing, "parts" | "problems">,
): PluginListing {
  const { version, description } = manifest;
  return {
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    scope,
    directory: root,
    hash,
    source,
    parts,
    needsTrust,
    faults,
    problems,
  };
}
