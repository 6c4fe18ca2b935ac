import {
  type Confinement,
  type EndedProgram,
  type Host,
  type StagedChanges,
  type UndoRef,
  ToolError,
} from "../core/index.ts";
import type { JournaledCall, JournalEntry, Journal } from "../journal/index.ts";
import type { ConfineRequest } from "../pipeline/index.ts";
import { opensProtected, refusesQuestions, type WrittenBy } from "../policy/index.ts";
import type { Overlay, Sandbox } from "../sandbox/index.ts";
import { allowedChanges, askedChanges } from "./match-rules.ts";
import type { CommandOverlays } from "./predict/command-overlays.ts";
import {
  failureOf,
  folderOf,
  lockedError,
  lockedWord,
  neverAsks,
  notUndoable,
  onRealFiles,
  protectedWritesError,
  unheldTreesError,
  refusedByMode,
  unkeptError,
  unkeptOf,
} from "./refusals.ts";
import { findProtectedWrites, heldBy, writtenTrees } from "./protected/protected-writes.ts";
import { reachesBeyond } from "./hard-links.ts";

/** Result of the changes that one call's programs made on overlays. */
export interface OverlayReport {
  readonly notes: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly undo?: UndoRef;
  readonly failure?: ToolError;
}

type JournalMethods = "apply" | "disown" | "settle" | "unkept" | "watch" | "watchLate" | "yield";

export interface ChangesParts {
  readonly overlays: CommandOverlays;
  readonly journal: Pick<Journal, JournalMethods>;
  readonly host: Pick<Host, "fs">;
  /** Roots that count as the workspace; displayed paths are relative to the first. */
  readonly roots: readonly string[];
  readonly cwd: string;
  /** Returns the rules that apply to the changes of an agent's call. */
  readonly judge: (agentId: string | undefined) => WrittenBy;
}

/** Changes of one call's programs, from their overlays to the real tree. */
export class OverlayChanges {
  readonly #overlays: CommandOverlays;
  readonly #journal: Pick<Journal, JournalMethods>;
  readonly #parts: ChangesParts;
  readonly #request: ConfineRequest;
  readonly #notes: string[] = [];
  readonly #approved = new Set<string>();
  /** Entries applied for the call, and for its programs that ended after it, by call id in the history. */
  readonly #applied = new Map<string, JournalEntry>();
  #failure: ToolError | undefined;
  #because: string | undefined;
  #running = 0;
  #isOver = false;
  #areTreesApproved = false;
  /** Settles when no change of the call is still being applied. */
  #applying: Promise<unknown> = Promise.resolve();
  #staged = 0;
  #direct = 0;
  /** Start of the first program on an overlay, in milliseconds of the epoch. */
  #began = 0;

  constructor(parts: ChangesParts, request: ConfineRequest) {
    this.#overlays = parts.overlays;
    this.#journal = parts.journal;
    this.#parts = parts;
    this.#request = request;
  }

  /** Returns the confinement to start one of the call's programs with. */
  async confinement(
    program: { readonly live?: boolean },
    sandbox: Sandbox | undefined,
  ): Promise<Confinement | undefined> {
    this.#because = await this.#straight(program);
    const overlay = this.#because === undefined ? await this.#prepared(sandbox) : undefined;
    await this.#permitTrees(overlay);
    if (overlay === undefined) {
      this.#direct += 1;
      await this.#watch();
      return program.live === true ? this.#watchedLate(sandbox) : sandbox;
    }
    if (this.#staged === 0) this.#began = Date.now();
    if (this.#direct === 0 && this.#isByPrograms()) this.#journal.yield(this.#request.callId);
    this.#staged += 1;
    this.#running += 1;
    return {
      wrap: (argv, options) => overlay.confinement.wrap(argv, options),
      ended: async () => {
        const told = this.#notes.length;
        await this.#take(overlay, sandbox);
        this.#running -= 1;
        if (this.#isOver && this.#running === 0) await this.#journal.settle(this.#lateId);
        return this.#isOver ? this.#lateWord(this.#notes.slice(told)) : undefined;
      },
    };
  }

  /**
   * Prepares an overlay. Undefined only if overlays do not work on this machine: any other failure stops the command,
   * which was allowed because its changes would be checked.
   */
  async #prepared(sandbox: Sandbox | undefined): Promise<Overlay | undefined> {
    const options = { effects: this.#request.grant.effects };
    try {
      // A start that fails because too much runs at that moment may succeed the second time.
      const first = await this.#overlays.prepare(sandbox, options).catch(() => undefined);
      return first ?? (await this.#overlays.prepare(sandbox, options));
    } catch (error) {
      const isLasting = ToolError.is(error) && error.code === "UNAVAILABLE" && !error.retryable;
      if (this.#overlays.mode === "preview" || !isLasting) throw error;
      this.#because = error.message;
      return undefined;
    }
  }

  /** Asks before a program starts that nothing keeps from creating protected files; rejects if that is not approved. */
  async #permitTrees(overlay: Overlay | undefined): Promise<void> {
    if (this.#areTreesApproved || this.#isOpen()) return;
    const trees = writtenTrees(this.#request.grant.effects, this.#parts.roots);
    if (trees.length === 0) return;
    const by = this.#parts.judge(this.#request.agentId);
    if (opensProtected(by)) return;
    const isStaged = overlay && (await this.#overlays.staged());
    const directories = trees.filter((path) => isStaged?.(path) !== true);
    if (directories.length === 0) return;
    const because = this.#because ?? "Overlays do not cover it.";
    const refused = refusesQuestions(by)
      ? refusedByMode
      : await this.#request.approve(nothingStaged, { start: { directories, because } });
    if (refused !== undefined) {
      await overlay?.drop().catch(() => undefined);
      throw unheldTreesError(directories, { refused, because, cwd: this.#parts.cwd });
    }
    this.#areTreesApproved = true;
  }

  /** Protected paths that the user allowed the call to change. */
  get approved(): ReadonlySet<string> {
    return this.#approved;
  }

  /**
   * Watches a program on the real files: it may change more than it declares, which is recorded without before-images.
   */
  async #watch(): Promise<void> {
    if (!this.#isOpen()) return;
    const { callId, signal } = this.#request;
    await this.#journal.watch(callId, this.#overlays.roots, { ...this.#info, signal });
  }

  /** Records the changes of a program that outlives the call again when it has ended. */
  #watchedLate(sandbox: Sandbox | undefined): Confinement | undefined {
    if (sandbox === undefined || !this.#isOpen()) return sandbox;
    const { helper } = sandbox;
    const note = this.#journal.watchLate(this.#request.callId, this.#lateId, this.#info);
    return {
      wrap: (argv, options) => sandbox.wrap(argv, options),
      ...(helper === undefined ? {} : { helper }),
      ended: async () => {
        await note().catch(() => undefined);
        return undefined;
      },
    };
  }

  get #info(): JournaledCall {
    const { tool, sessionId, agentId } = this.#request;
    return {
      tool,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
    };
  }

  /** Call id for changes of programs that end after the call. */
  get #lateId(): string {
    return `${this.#request.callId}-end`;
  }

  /** If a call works on overlays only, changes next to them were made by another process. */
  async #disown(): Promise<void> {
    if (this.#staged === 0 || this.#direct > 0 || !this.#isByPrograms()) return;
    this.#journal.disown(this.#request.callId, await this.#overlays.staged());
  }

  /** Whether neither the tool nor the kit itself changes anything, only the call's programs do. */
  #isByPrograms(): boolean {
    const { grant, writesItself = false } = this.#request;
    return (
      !writesItself &&
      grant.effects.every((effect) => effect.kind !== "write" || effect.span !== undefined)
    );
  }

  #isOpen(): boolean {
    return this.#request.grant.effects.some(
      (effect) =>
        effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open"),
    );
  }

  /** Reports how the programs ended, once the tool has returned. */
  async account(ended: readonly EndedProgram[]): Promise<OverlayReport> {
    // Changes being applied belong to the call, so it must not end before them: no later result would report them.
    await this.#applying;
    this.#isOver = true;
    await this.#disown();
    if (this.#staged > 0) {
      const { keptInPlace } = await import("./predict/undeletable-directories.ts");
      const { host, overlays } = this.#parts;
      const since = this.#began;
      this.#notes.push(...(await keptInPlace(ended, overlays.passthrough, { host, since })));
    }
    if (this.#direct > 0 && this.#because !== undefined && this.#isOpen()) {
      this.#notes.push(onRealFiles(this.#because));
    }
    const isLate = this.#running > 0;
    if (isLate) {
      this.#notes.push("What it changes in files is there when it has ended, not before.");
    }
    const applied = this.#applied.get(this.#request.callId);
    // Paths in the checkpoint that no overlay staged have no known change yet.
    const changed = applied?.changes.filter(({ change }) => change !== "unknown").length ?? 0;
    return {
      notes: this.#notes,
      facts: {
        overlay: this.#because === undefined ? this.#overlays.mode : "none",
        ...(this.#because === undefined ? {} : { because: this.#because }),
        ...(changed === 0 ? {} : { changed }),
      },
      ...(applied === undefined ? {} : { undo: { callId: applied.callId, level: applied.level } }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
    };
  }

  /** Text appended to a late program's output: the call has been answered, so no other result can report it. */
  #lateWord(notes: readonly string[]): string | undefined {
    const failure = this.#failure === undefined ? [] : [this.#failure.message];
    const words = [...failure, ...notes];
    return words.length === 0 ? undefined : `(${words.join(" ")})\n`;
  }

  /** Returns why a program runs on the real tree; undefined if it runs on an overlay. */
  async #straight({ live }: { readonly live?: boolean }): Promise<string | undefined> {
    const { effects } = this.#request.grant;
    const isBound =
      !this.#isOpen() &&
      writtenTrees(effects, this.#parts.roots).length === 0 &&
      !(await reachesBeyond(effects, this.#parts.host.fs));
    if (isBound) return "It does only what it says.";
    const takes = effects.find(
      (effect) =>
        effect.kind === "write" &&
        effect.change === "delete" &&
        !this.#overlays.covers(effect.path),
    );
    // A file moved in from outside would be lost if the staged changes were dropped.
    if (takes !== undefined) return "It takes files from outside the workspace.";
    if (live === true) return "It works with the files while others do.";
    if (this.#running > 0) return "Another program of the call is running.";
    return await this.#overlays.unavailable(effects);
  }

  async #take(overlay: Overlay, sandbox: Sandbox | undefined): Promise<void> {
    let kept: string | undefined;
    let found: StagedChanges | undefined;
    try {
      found = allowedChanges(await overlay.changes(), this.#parts.judge(this.#request.agentId));
      // Without a sandbox it could write anywhere.
      const staged = sandbox !== undefined ? found : { ...found, through: [...found.through, "/"] };
      if (staged.changes.length === 0 && staged.refused.length === 0) return;
      await this.#bring(staged, heldBy(sandbox));
    } catch (error) {
      kept = folderOf(found);
      this.#failure ??= failureOf(error, kept);
    } finally {
      // Changes that could not be applied stay available as long as the toolkit is open.
      if (kept === undefined) await overlay.drop().catch(() => undefined);
    }
  }

  /** Applies the changes where that is allowed; the user is asked once for everything that needs approval. */
  async #bring(staged: StagedChanges, held: readonly string[]): Promise<void> {
    const isPreview = this.#overlays.mode === "preview";
    const { grant, agentId } = this.#request;
    const by = this.#parts.judge(agentId);
    const protectedWrites = opensProtected(by)
      ? []
      : await findProtectedWrites(staged.changes, {
          fs: this.#parts.host.fs,
          roots: this.#parts.roots,
          effects: grant.effects,
          held,
        });
    const ruled = askedChanges(staged.changes, grant.effects, by);
    const named = [...new Set([...protectedWrites, ...ruled])];
    const files = await this.#overlays.locked(staged.changes.map(({ path }) => path));
    const locked = files.length === 0 ? undefined : lockedWord(files, this.#parts.cwd);
    if (locked !== undefined && (opensProtected(by) || refusesQuestions(by))) {
      this.#failure ??= lockedError(locked, opensProtected(by) ? neverAsks : refusedByMode);
      return;
    }
    if (!isPreview && named.length === 0 && locked === undefined) {
      await this.#applyOrAsk(staged, { isAsked: !opensProtected(by) && !refusesQuestions(by) });
      return;
    }
    const unkept = await this.#journal.unkept(staged);
    const lost =
      unkept.length === 0 ? undefined : { notUndoable: notUndoable(unkept.length, unkept) };
    const refused =
      named.length > 0 && refusesQuestions(by)
        ? refusedByMode
        : await this.#request.approve(staged, {
            ...lost,
            ...(locked === undefined ? {} : { locked }),
            ...(protectedWrites.length === 0 ? {} : { protectedWrites }),
            ...(ruled.length === 0 ? {} : { ruled }),
          });
    if (refused === undefined) {
      for (const path of protectedWrites) this.#approved.add(path);
      await this.#apply(staged, { keepsAll: false });
      if (lost !== undefined) this.#notes.push(lost.notUndoable);
    } else if (named.length > 0) {
      const isProtected = ruled.length === 0;
      this.#failure ??= protectedWritesError(named, { refused, isProtected, cwd: this.#parts.cwd });
    } else if (locked !== undefined) {
      this.#failure ??= lockedError(locked, refused);
    } else {
      this.#notes.push(`What it changed was dropped, because ${refused.because}.`);
    }
  }

  /** Applies changes that cannot be undone only if the user approves, or if no one is to be asked. */
  async #applyOrAsk(
    staged: StagedChanges,
    { isAsked }: { readonly isAsked: boolean },
  ): Promise<void> {
    let lost: string;
    try {
      await this.#apply(staged, { keepsAll: true });
      return;
    } catch (error) {
      const unkept = unkeptOf(error);
      if (unkept === undefined) throw error;
      lost = unkept;
    }
    const refused = isAsked
      ? await this.#request.approve(staged, { notUndoable: lost })
      : undefined;
    if (refused !== undefined && refused.isAbsent !== true) {
      this.#failure ??= unkeptError(lost, refused);
      return;
    }
    await this.#apply(staged, { keepsAll: false });
    this.#notes.push(lost);
  }

  async #apply(staged: StagedChanges, options: { readonly keepsAll: boolean }): Promise<void> {
    const applied = this.#bringAll(staged, options);
    this.#applying = applied.catch(() => undefined);
    await applied;
  }

  async #bringAll(staged: StagedChanges, options: { readonly keepsAll: boolean }): Promise<void> {
    const { callId, signal } = this.#request;
    // The record of a finished call is closed; later changes get a record of their own.
    const id = this.#isOver ? this.#lateId : callId;
    const entry = await this.#journal.apply(id, staged, {
      ...this.#info,
      ...options,
      signal,
      goesOn: true,
      continues: this.#applied.get(id),
    });
    if (entry === undefined) return;
    this.#applied.set(id, entry);
    const [first] = staged.refused;
    if (first !== undefined) {
      const more = staged.refused.length > 1 ? ` and ${staged.refused.length - 1} more` : "";
      this.#notes.push(
        `${first.path}${more} could not be written to the workspace: ${first.because.replace(/\.$/u, "")}.`,
      );
    }
  }
}

const nothingStaged: StagedChanges = { since: 0, changes: [], refused: [], through: [] };
