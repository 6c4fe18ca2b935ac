import {
  type Confinement,
  type EndedProgram,
  type Host,
  type StagedChanges,
  type UndoRef,
  type ToolError,
} from "../core/index.ts";
import type { CallInfo, HistoryEntry, Journal } from "../journal/index.ts";
import type { ConfineRequest } from "../pipeline/index.ts";
import { opensProtected, refusesQuestions, type WrittenBy } from "../policy/index.ts";
import type { Overlay, Sandbox } from "../sandbox/index.ts";
import { askedChanges } from "./asked-changes.ts";
import { allowedChanges } from "./allowed-changes.ts";
import type { CommandOverlays } from "./predict/overlay-choice.ts";
import {
  failureOf,
  folderOf,
  lockedError,
  lockedWord,
  neverAsks,
  notUndoable,
  onRealFiles,
  plantedError,
  refusedByMode,
  unkeptError,
  unkeptOf,
} from "./refusals.ts";
import { plantedChanges } from "./protected/protected-writes.ts";
import { reachesBeyond } from "./hard-links.ts";

/** What came of the changes that one call's programs made on overlays. */
export interface StagedAccount {
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
  /** What counts as the workspace; paths are told from the first. */
  readonly roots: readonly string[];
  readonly cwd: string;
  /** Whose word counts about what a call of this agent has changed. */
  readonly judge: (agentId: string | undefined) => WrittenBy;
}

/** The changes of one call's programs, from their overlay to the real tree. */
export class CallChanges {
  readonly #overlays: CommandOverlays;
  readonly #journal: Pick<Journal, JournalMethods>;
  readonly #parts: ChangesParts;
  readonly #request: ConfineRequest;
  readonly #notes: string[] = [];
  readonly #approved = new Set<string>();
  /** What it did, and what those of its programs did that ended after it, by their names in the history. */
  readonly #applied = new Map<string, HistoryEntry>();
  #failure: ToolError | undefined;
  #because: string | undefined;
  #running = 0;
  #isOver = false;
  /** Settles when nothing of it is on its way to its place. */
  #applying: Promise<unknown> = Promise.resolve();
  #staged = 0;
  #direct = 0;
  /** When the first of its programs was started on an overlay. */
  #began = 0;

  constructor(parts: ChangesParts, request: ConfineRequest) {
    this.#overlays = parts.overlays;
    this.#journal = parts.journal;
    this.#parts = parts;
    this.#request = request;
  }

  /** How one of its programs is started. */
  async confinement(
    program: { readonly live?: boolean },
    sandbox: Sandbox | undefined,
  ): Promise<Confinement | undefined> {
    this.#because = await this.#straight(program);
    const overlay = this.#because === undefined ? await this.#prepared(sandbox) : undefined;
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

  /** An overlay that cannot be had stops no command, unless a person is to see first what it changes. */
  async #prepared(sandbox: Sandbox | undefined): Promise<Overlay | undefined> {
    const options = { effects: this.#request.grant.effects };
    try {
      // A start that fails once, because too much runs at that moment, need not fail twice.
      const first = await this.#overlays.prepare(sandbox, options).catch(() => undefined);
      return first ?? (await this.#overlays.prepare(sandbox, options));
    } catch (error) {
      if (this.#overlays.mode === "preview") throw error;
      this.#because = error instanceof Error ? error.message : String(error);
      return undefined;
    }
  }

  /** Protected paths that a person has let it change. */
  get approved(): ReadonlySet<string> {
    return this.#approved;
  }

  /** A program on the files themselves changes more than it says, which is seen and not kept. */
  async #watch(): Promise<void> {
    if (!this.#isOpen()) return;
    const { callId, signal } = this.#request;
    await this.#journal.watch(callId, this.#overlays.roots, { ...this.#info, signal });
  }

  /** One that outlives the call is looked after once more when it has ended. */
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

  get #info(): CallInfo {
    const { tool, sessionId, agentId } = this.#request;
    return {
      tool,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
    };
  }

  /** What its programs do that end after it. */
  get #lateId(): string {
    return `${this.#request.callId}-end`;
  }

  /** Where all a call does is on overlays, what changes beside them is somebody else's. */
  async #disown(): Promise<void> {
    if (this.#staged === 0 || this.#direct > 0 || !this.#isByPrograms()) return;
    this.#journal.disown(this.#request.callId, await this.#overlays.staged());
  }

  /** Whether the tool changes nothing by itself. */
  #isByPrograms(): boolean {
    return this.#request.grant.effects.every(
      (effect) => effect.kind !== "write" || effect.span !== undefined,
    );
  }

  #isOpen(): boolean {
    return this.#request.grant.effects.some(
      (effect) =>
        effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open"),
    );
  }

  /** What is told when the tool has come back, of how its programs ended. */
  async account(ended: readonly EndedProgram[]): Promise<StagedAccount> {
    // What is on its way counts as the call's, which must not end before it: nobody would say that it has.
    await this.#applying;
    this.#isOver = true;
    await this.#disown();
    if (this.#staged > 0) {
      const { keptInPlace } = await import("./predict/undeletable-directories.ts");
      const { host, overlays } = this.#parts;
      const since = this.#began;
      this.#notes.push(...(await keptInPlace(ended, overlays.through, { host, since })));
    }
    if (this.#direct > 0 && this.#because !== undefined && this.#isOpen()) {
      this.#notes.push(onRealFiles(this.#because));
    }
    const isLate = this.#running > 0;
    if (isLate) {
      this.#notes.push("What it changes in files is there when it has ended, not before.");
    }
    const applied = this.#applied.get(this.#request.callId);
    // Of what its checkpoint keeps beside it is not known yet what became.
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

  /** What nobody would hear of any more, because the call has been answered. */
  #lateWord(notes: readonly string[]): string | undefined {
    const failure = this.#failure === undefined ? [] : [this.#failure.message];
    const words = [...failure, ...notes];
    return words.length === 0 ? undefined : `(${words.join(" ")})\n`;
  }

  /** Why a program runs on the real tree. */
  async #straight({ live }: { readonly live?: boolean }): Promise<string | undefined> {
    const { effects } = this.#request.grant;
    if (!this.#isOpen() && !(await reachesBeyond(effects, this.#parts.host.fs)))
      return "It does only what it says.";
    const takes = effects.find(
      (effect) =>
        effect.kind === "write" &&
        effect.change === "delete" &&
        !this.#overlays.covers(effect.path),
    );
    // What it has moved in would be nowhere where its changes are dropped.
    if (takes !== undefined) return "It takes files from outside of the workspace.";
    if (live === true) return "It works with the files while others do.";
    if (this.#running > 0) return "Another program of the call runs beside it.";
    return await this.#overlays.unavailable(effects);
  }

  async #take(overlay: Overlay, sandbox: Sandbox | undefined): Promise<void> {
    let kept: string | undefined;
    let found: StagedChanges | undefined;
    try {
      found = allowedChanges(await overlay.changes(), this.#parts.judge(this.#request.agentId));
      // Nothing kept it from writing elsewhere.
      const staged = sandbox !== undefined ? found : { ...found, through: [...found.through, "/"] };
      if (staged.changes.length === 0 && staged.refused.length === 0) return;
      await this.#bring(staged, heldBy(sandbox));
    } catch (error) {
      kept = folderOf(found);
      this.#failure ??= failureOf(error, kept);
    } finally {
      // What could not be brought to its place is not lost as long as the toolkit is open.
      if (kept === undefined) await overlay.drop().catch(() => undefined);
    }
  }

  /** Brings it to its place where that may be; a person is asked once for all there is to be asked. */
  async #bring(staged: StagedChanges, held: readonly string[]): Promise<void> {
    const isPreview = this.#overlays.mode === "preview";
    const { grant, agentId } = this.#request;
    const by = this.#parts.judge(agentId);
    const planted = opensProtected(by)
      ? []
      : await plantedChanges(staged.changes, {
          fs: this.#parts.host.fs,
          roots: this.#parts.roots,
          effects: grant.effects,
          held,
        });
    const ruled = askedChanges(staged.changes, grant.effects, by);
    const named = [...new Set([...planted, ...ruled])];
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
            ...(planted.length === 0 ? {} : { planted }),
            ...(ruled.length === 0 ? {} : { ruled }),
          });
    if (refused === undefined) {
      for (const path of planted) this.#approved.add(path);
      await this.#apply(staged, { keepsAll: false });
      if (lost !== undefined) this.#notes.push(lost.notUndoable);
    } else if (named.length > 0) {
      const isProtected = ruled.length === 0;
      this.#failure ??= plantedError(named, { refused, isProtected, cwd: this.#parts.cwd });
    } else if (locked !== undefined) {
      this.#failure ??= lockedError(locked, refused);
    } else {
      this.#notes.push(`What it changed was dropped, because ${refused.because}.`);
    }
  }

  /** What cannot be taken back counts once a person has said so, or where nobody is to be asked. */
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
    // The record of a call that is over is closed; what comes later is one of its own.
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
        `${first.path}${more} could not be brought to the workspace: ${first.because.replace(/\.$/u, "")}.`,
      );
    }
  }
}

/** Paths that a sandbox holds on the real files; on an overlay some of them are only looked at afterwards. */
function heldBy(sandbox: Sandbox | undefined): readonly string[] {
  if (sandbox === undefined) return [];
  const { protected: held, watched } = sandbox.policy;
  return [...held, ...watched].map(({ path }) => path);
}
