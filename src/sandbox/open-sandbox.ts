import { realpathSync } from "node:fs";
import { realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { joinPath, type SecretPlaces } from "../text/index.ts";
import { ToolError, type EndedProgram, type SandboxReport } from "../core/index.ts";
import { inferRefusedActions, type RefusedAction } from "./infer-refused-actions.ts";
import { leads } from "./policy/existing-path.ts";
import {
  gitSettings,
  grantsFor,
  pathMoved,
  unmoved,
  withoutRedirected,
  workspaceMoved,
} from "./policy/grants.ts";
import { drivers } from "./drivers/index.ts";
import { noneReport } from "./drivers/none.ts";
import type { SandboxNetwork, SandboxPolicy } from "./policy/policy.ts";
import { ownedDirectory } from "./owned-directory.ts";
import {
  declaredPolicy,
  notEnforced,
  visibleDirectory,
  type DeclaredAccess,
} from "./declared-access.ts";
import { isEnforced, probe, type Probed, type SandboxRequirement } from "./probe/probe.ts";
import type { ProbeResult } from "./probe/probe-driver.ts";
import { needsOf } from "./policy/program-requirements.ts";
import { rememberedProbe } from "./probe/cache.ts";
import { reasonOf } from "./probe/transient-failure.ts";
import { emptyRequest, straightBecause, type SandboxRequest } from "./policy/sandbox-request.ts";
import type { Sandbox, SandboxDriver } from "./sandbox.ts";
import {
  notStarted,
  searchConfinement,
  searchPolicy,
  type SearchConfinement,
} from "./search-confinement.ts";
import { protectedPathsChangedSince, sandboxPolicy } from "./policy/sandbox-policy.ts";
import { cacheVariables, cachesIn } from "./policy/cache-directories.ts";

export interface SandboxesOptions {
  readonly require: SandboxRequirement;
  readonly driver?: string | SandboxDriver | undefined;
  readonly network: SandboxNetwork;
  /** Canonical directory of the workspace. */
  readonly workspace: string;
  readonly home: string;
  /** More directories of the user's. */
  readonly writable: readonly string[];
  /** Directories where commands of tools write status files, even if they are otherwise protected. */
  readonly statusDirectories: readonly string[];
  /** Hidden paths that programs may read anyway: artifacts of this workspace. */
  readonly shown?: readonly string[];
  /** Paths of secrets. */
  readonly secrets?: SecretPlaces;
  /** Whether caches of package managers in the home directory are writable. Default true. */
  readonly sharesCaches?: boolean;
  /** File that records which driver works here. */
  readonly probeFile: string;
}

/** Sandbox in which the commands of one call are started. */
export interface OpenedSandbox {
  /** Undefined if they run unconfined; `because` gives the reason, also for a weaker sandbox than before. */
  readonly sandbox: Sandbox | undefined;
  readonly report: SandboxReport;
  readonly because: string | undefined;
  /** Returns what was refused, once the programs have ended. */
  refusedActions(ended: readonly EndedProgram[]): readonly RefusedAction[];
  /** Returns protected names that were created in the meantime. */
  protectedWrites(): Promise<readonly string[]>;
  /** Removes what only this call needs, once its programs have ended. */
  release?(): Promise<void>;
}

/** A driver and whether it works here. */
export interface SurveyResult {
  readonly driver: SandboxDriver;
  readonly result: ProbeResult;
}

/** Sandboxes of one kit: one per policy, prepared on first use and shared by the calls with that policy. */
export class Sandboxes {
  readonly #options: SandboxesOptions;
  readonly #remembered: ReturnType<typeof rememberedProbe>;
  readonly #ready = new Map<string, Promise<Sandbox>>();
  /** Replaced sandboxes, kept because a program may still run in them. */
  readonly #outdated = new Set<Sandbox>();
  #probed: Promise<Probed> | undefined;
  /** Private directory in the system's temporary directory. */
  #temporary: Promise<string> | undefined;
  #isDisposed = false;

  constructor(options: SandboxesOptions) {
    this.#options = options;
    this.#remembered = rememberedProbe(options.probeFile);
  }

  /** Returns the driver that works here. Rejects with UNAVAILABLE if one is required and none works. */
  async probed(): Promise<Probed> {
    this.#throwIfDisposed();
    const { require, driver } = this.#options;
    const options = { require, ...(driver === undefined ? {} : { driver }) };
    const mine = (this.#probed ??= probe({ ...options, probe: this.#remembered.probe }));
    try {
      return await mine;
    } catch (error) {
      // The missing program may be installed by the next call.
      if (this.#probed === mine) {
        this.#probed = undefined;
        await this.#remembered.forget();
      }
      throw error;
    }
  }

  /** Returns a driver that worked here before and is stronger than the one in use now. */
  async weakened(): Promise<string | undefined> {
    // A driver the user named is used even if a stronger one works.
    if (this.#options.driver !== undefined) return undefined;
    const chosen = await this.probed().catch(() => undefined);
    return await this.#remembered.strongerBefore(chosen?.driver.name ?? "none");
  }

  /**
   * Tries every driver again, strongest first, and returns which one is used; nothing if the sandbox is off. Rejects if
   * a driver only fails this time, so that no command is started.
   */
  async survey(): Promise<{
    readonly results: readonly SurveyResult[];
    readonly chosen: Probed | undefined;
  }> {
    const { require } = this.#options;
    if (require === "off") return { results: [], chosen: undefined };
    await this.#remembered.forget();
    this.#probed = undefined;
    const results: SurveyResult[] = [];
    const own = typeof this.#options.driver === "object" ? [this.#options.driver] : [];
    for (const driver of [...own, ...drivers]) {
      if (driver.name === "none") continue;
      const result = await this.#remembered.probe(driver).catch((error: unknown): ProbeResult => {
        const missing = { reason: reasonOf(error) };
        return { driver: driver.name, works: false, missing, probes: [] };
      });
      results.push({ driver, result });
    }
    const chosen = await this.probed().catch((error: unknown) => {
      if (ToolError.is(error) && error.retryable) throw error;
      return undefined;
    });
    return { results, chosen };
  }

  /** Reports what a driver enforces of the policy that an ordinary command of this kit gets. */
  async reportHere({ driver, report: { version } }: Probed): Promise<SandboxReport> {
    const report = driver.report(await this.#policy(emptyRequest, { granted: [], secrets: [] }));
    return version === undefined ? report : { ...report, version };
  }

  async open(wishes: SandboxRequest): Promise<OpenedSandbox> {
    const { require } = this.#options;
    if (wishes.declared !== undefined) return await this.#openDeclared(wishes, wishes.declared);
    if (require === "off") return straight("It was switched off.");
    const probed = await this.probed();
    if (probed.driver.name === "none") {
      const weaker = await this.#weakerBecause();
      const because = "Nothing here can confine programs; haft doctor says what would.";
      return straight(weaker === undefined ? because : `${because} ${weaker}`);
    }
    const needs = needsOf(wishes.commands);
    const grants = grantsFor(wishes.writes, this.#options);
    const reason = straightBecause(wishes, grants.tooWide);
    if (reason !== undefined && require !== "enforced") return straight(`${reason}.`);
    const policy = await this.#policy(wishes, {
      granted: [
        ...(wishes.writesStatus === true ? this.#options.statusDirectories : []),
        ...unmoved([
          ...wishes.open,
          ...grants.paths,
          ...(needs.changesGitSettings ? await gitSettings(this.#options.workspace) : []),
          ...needs.changes.map((name) => joinPath(this.#options.workspace, name)),
        ]),
      ],
      secrets: needs.secrets,
    });
    const sandbox = await this.#sandbox(policy, probed);
    const { version } = probed.report;
    const report = version === undefined ? sandbox.report : { ...sandbox.report, version };
    return {
      sandbox,
      report,
      because: await this.#weakerBecause(),
      refusedActions: (ended) => {
        const refusals = sandbox.takeRefusals?.() ?? [];
        const found = ended.flatMap((one) =>
          inferRefusedActions({ ...one, refusals, leads }, policy),
        );
        // A driver that worked at the last start no longer does.
        if (found.some(({ kind }) => kind === "setup")) void this.#remembered.forget();
        return found.map((action) => this.#lateRead(action, sandbox));
      },
      protectedWrites: async () => await protectedPathsChangedSince(policy),
    };
  }

  /** Opens the sandbox of a program that reaches only what its call declares; every call gets a directory of its own. */
  async #openDeclared(wishes: SandboxRequest, declared: DeclaredAccess): Promise<OpenedSandbox> {
    const { require, home, secrets, network } = this.#options;
    const probed = require === "off" ? undefined : await this.probed();
    if (probed === undefined || !isEnforced(probed.report)) {
      if (!declared.isOpen) throw notEnforced(probed?.driver.name);
      if (probed === undefined || probed.driver.name === "none") {
        return straight("Nothing here confines it to what it declares.");
      }
    }
    const root = await realpath(tmpdir());
    this.#throwIfDisposed();
    const directory = await ownedDirectory(root, "haft-tool");
    const release = async (): Promise<void> => {
      await rm(directory, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
    };
    try {
      const policy = await declaredPolicy(declared, {
        ...wishes,
        home,
        secrets,
        directory,
        network,
      });
      // A resident process that confines others would outlive the call.
      const { helper: _helper, ...prepared } = await probed.driver.prepare(policy);
      const sandbox: Sandbox = {
        ...prepared,
        wrap: (argv, options) =>
          prepared.wrap(argv, { ...options, cwd: visibleDirectory(policy, options?.cwd) }),
      };
      return {
        sandbox,
        report: sandbox.report,
        because: await this.#weakerBecause(),
        refusedActions: (ended) => {
          const refusals = sandbox.takeRefusals?.() ?? [];
          return ended.flatMap((one) => inferRefusedActions({ ...one, refusals, leads }, policy));
        },
        protectedWrites: async () => await protectedPathsChangedSince(policy),
        release: async () => {
          await sandbox.dispose();
          await release();
        },
      };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /**
   * Confines the program of a search below a root: it reads paths that are not secret or are below that root, writes
   * nowhere, and has no network. Undefined if no driver confines here and that is allowed.
   */
  async forSearch(root: string): Promise<SearchConfinement | undefined> {
    const { require, workspace, home } = this.#options;
    if (require === "off") return undefined;
    try {
      const probed = await this.probed();
      if (probed.driver.confinesSearches !== true)
        return require === "enforced" ? notStarted : undefined;
      const temporary = await this.#temporaryFolder();
      const policy = await searchPolicy({
        workspace,
        home,
        temporary,
        root,
        ...(this.#options.secrets === undefined ? {} : { secrets: this.#options.secrets }),
        shown: this.#options.shown ?? [],
      });
      return searchConfinement(await this.#sandbox(policy, probed));
    } catch {
      return notStarted;
    }
  }

  /** Removes all files that the sandboxes left outside; call it after the programs in them have ended. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    // Also for calls that were aborted; nothing is written once the kit is disposed.
    await this.#probed?.catch(() => undefined);
    await this.#remembered.settled();
    const ready = await Promise.allSettled(this.#ready.values());
    this.#ready.clear();
    for (const one of ready) if (one.status === "fulfilled") this.#outdated.add(one.value);
    for (const one of this.#outdated) await one.dispose();
    this.#outdated.clear();
    const temporary = await this.#temporary;
    this.#temporary = undefined;
    if (temporary === undefined) return;
    // A directory that a command made unremovable is not worth failing for.
    await rm(temporary, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }

  async #weakerBecause(): Promise<string | undefined> {
    const before = await this.weakened();
    if (before === undefined) return undefined;
    return `${before}, which is stronger, worked here before; haft doctor says why it is not used.`;
  }

  /** An aborted call may still be on its way when the kit is disposed; it must leave nothing behind. */
  #throwIfDisposed(): void {
    if (this.#isDisposed) throw new ToolError("ABORTED", "The sandboxes are disposed.");
  }

  async #temporaryFolder(): Promise<string> {
    this.#throwIfDisposed();
    const mine = (this.#temporary ??= ownedDirectory(realpathSync(tmpdir()), "haft-tmp"));
    try {
      const path = await mine;
      // A command that may write around the directory can replace it by a link, and the next command could write to its
      // target.
      if (unmoved([path]).length > 0) return path;
      if (this.#temporary === mine) this.#temporary = undefined;
      return await this.#temporaryFolder();
    } catch (error) {
      if (this.#temporary === mine) this.#temporary = undefined;
      throw error;
    }
  }

  async #policy(
    { reads, hide, keep }: SandboxRequest,
    { granted, secrets }: { granted: readonly string[]; secrets: readonly string[] },
  ): Promise<SandboxPolicy> {
    const { workspace, home, network, sharesCaches = true } = this.#options;
    const temporary = await this.#temporaryFolder();
    const writable = unmoved(this.#options.writable);
    const open = [workspace, ...writable, ...granted];
    const found = sharesCaches ? cachesIn(home) : [];
    const caches = withoutRedirected(found, open);
    const shown = secrets.map((name) => joinPath(home, name));
    if (unmoved([workspace]).length === 0) throw workspaceMoved(workspace);
    const policy = await sandboxPolicy({
      workspace,
      home,
      temporary,
      // The host chooses the environment of programs.
      variables: {},
      writable,
      caches,
      granted,
      ...(this.#options.secrets === undefined ? {} : { secrets: this.#options.secrets }),
      hide,
      keep,
      reveal: [
        ...unmoved([...reads, ...(this.#options.shown ?? [])]),
        ...withoutRedirected(shown, open),
      ],
      network,
      leftovers: "kept",
    });
    if (policy.temporary !== temporary) throw pathMoved(temporary);
    const closed = found.filter((path) => !caches.includes(path));
    const more = cacheVariables(home, temporary, closed);
    return { ...policy, environment: { ...policy.environment, ...more } };
  }

  /**
   * Reports a denied write as a denied read if the path was created after the sandbox was prepared. The next call
   * prepares a new sandbox, in which the path is readable.
   */
  #lateRead(action: RefusedAction, sandbox: Sandbox): RefusedAction {
    if (action.kind !== "write" || sandbox.isLate?.(action.path) !== true) return action;
    // Another command may have reported the same path before, so that a new sandbox exists already.
    if (!this.#outdated.has(sandbox)) this.#ready.delete(JSON.stringify(sandbox.policy));
    this.#outdated.add(sandbox);
    return { ...action, kind: "read" };
  }

  async #sandbox(policy: SandboxPolicy, { driver }: Probed): Promise<Sandbox> {
    const key = JSON.stringify(policy);
    const known = this.#ready.get(key);
    if (known !== undefined) return await known;
    this.#throwIfDisposed();
    const making = driver.prepare(policy);
    this.#ready.set(key, making);
    making.catch(() => this.#ready.delete(key));
    return await making;
  }
}

function straight(because: string): OpenedSandbox {
  return {
    sandbox: undefined,
    report: noneReport(),
    because,
    refusedActions: () => [],
    protectedWrites: async () => [],
  };
}
