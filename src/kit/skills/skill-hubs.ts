import { argumentError, type Host, type SkillHubService, type Toolkit } from "../../core/index.ts";
import {
  hubAddresses,
  skillHubReader,
  type FoundHubSkills,
  type HiddenText,
  type InstalledSkill,
  type PackagePart,
  type ReviewedFile,
  type ReviewedSkillProblem,
  explainedPrograms,
  type ExplainedProgram,
} from "../../workspace/index.ts";
import { IdSource } from "../../text/index.ts";
import { describeReview } from "../plugins/describe-review.ts";
import type { Place } from "../workspace-context.ts";

/** A skill as its hub delivers it. Nothing of it is installed until it is accepted. */
export interface SkillReview {
  /** Id at its hub. */
  readonly id: string;
  /** Name, which is that of its directory. */
  readonly name: string;
  /** Version that the hub names; the identity is `hash`. */
  readonly version?: string;
  /** Its purpose and when to use it. */
  readonly description: string;
  /** Hash of its files: `sha256:` and 64 hex digits. */
  readonly hash: string;
  /** Hash of the installed files; absent if it is not installed. */
  readonly installedHash?: string;
  /** Its files, and those of the installed version that it has no more. */
  readonly files: readonly ReviewedFile[];
  /** Hidden characters and comments in its files. */
  readonly hidden: readonly HiddenText[];
  /** The skill with the tools that it asks for. */
  readonly parts: readonly PackagePart[];
  /** Its scripts with their effects. */
  readonly programs: readonly ExplainedProgram[];
  /** Warnings of the hub, and everything in its files that has no effect or is wrong. */
  readonly problems: readonly ReviewedSkillProblem[];
  /** Lines of plain text that show all of this to a user; each escape of a terminal in them is visible. */
  describe(): readonly string[];
  /** Installs exactly the files of this review, for kits opened from now on; resolves to their directory. */
  accept(): Promise<string>;
}

/** A skill of a hub, and where it is installed. */
export interface SkillReviewOptions {
  /** Id of a search, as in "clawhub:notes". */
  readonly id: string;
  /**
   * Whether it is installed for the user or for the project.
   *
   * @default "user"
   */
  readonly scope?: "user" | "project";
}

/** Skills of hubs, which are found, reviewed and installed. */
export interface KitSkillHubs {
  /** Searches the hubs of the setting `skillHubs`. A hub that does not answer is named in `problems`. */
  search(query: string): Promise<FoundHubSkills>;
  /**
   * Downloads a skill and shows what it would bring and change. Runs nothing. Throws NOT_FOUND if there is none,
   * INVALID_INPUT for files that no skill may have or a hash that is not the announced one, PERMISSION_DENIED if the hub
   * sends the download elsewhere.
   */
  review(options: SkillReviewOptions): Promise<SkillReview>;
  /** Lists the skills that were installed from hubs, as their lock file records them. */
  installed(options?: Pick<SkillReviewOptions, "scope">): Promise<readonly InstalledSkill[]>;
  /** Removes a skill that was installed from a hub. Throws NOT_FOUND for any other. */
  remove(name: string, options?: Pick<SkillReviewOptions, "scope">): Promise<void>;
}

export interface SkillHubParts {
  readonly place: Pick<Place, "workspace" | "anchors" | "settings" | "boundary">;
  readonly host: Host;
  readonly explain: Toolkit["explain"];
}

/** Hubs of a kit; what searches them and installs from them is loaded on first use. */
export function kitSkillHubs({ place, host, explain }: SkillHubParts): KitSkillHubs {
  const ids = new IdSource();
  const baseOf = (scope: SkillReviewOptions["scope"] = "user"): string => {
    if (scope !== "user" && scope !== "project") {
      throw argumentError(`scope is "user" or "project", not ${JSON.stringify(scope)}.`);
    }
    return scope === "user" ? place.anchors.home : place.workspace;
  };
  const hubs = async () => (await skillHubReader()).skillHubs(place.settings.skillHubs, host.net);
  return {
    search: async (query) => await (await hubs()).search(query),
    async review({ id, scope }) {
      const base = baseOf(scope);
      const found = await (await hubs()).download(id);
      const { reviewSkill } = await skillHubReader();
      const at = { host, base, newId: () => ids.next("skill") };
      const { install, ...given } = await reviewSkill(id, found, at);
      const review = { ...given, programs: await explainedPrograms(given.programs, explain) };
      return { ...review, describe: () => describeReview(review, place.boundary), accept: install };
    },
    async installed({ scope } = {}) {
      return (await (await skillHubReader()).readSkillLock(baseOf(scope), host)).skills;
    },
    async remove(name, { scope } = {}) {
      await (await skillHubReader()).removeSkill(name, { host, base: baseOf(scope) });
    },
  };
}

/** Hubs for the tools of a model; undefined unless the settings name one. */
export function skillHubService(
  place: SkillHubParts["place"],
  host: Host,
  explain: Toolkit["explain"],
): SkillHubService | undefined {
  const named = place.settings.skillHubs;
  if (named.length === 0) return undefined;
  const own = kitSkillHubs({ place, host, explain });
  return {
    hosts: named.flatMap(({ kind, url = hubAddresses[kind] }) =>
      url === undefined ? [] : [new URL(url).host],
    ),
    directory: `${place.workspace}/.haft/skills`,
    search: async (query) => await own.search(query),
    async download(id) {
      const review = await own.review({ id, scope: "project" });
      const { name, version = "", description, hash } = review;
      const title = `${name} ${version}`.trim();
      const text = [`${title} (${hash.slice(0, 19)}): ${description}`, ...review.describe()].join(
        "\n",
      );
      return { name, text, install: async () => await review.accept() };
    },
  };
}
