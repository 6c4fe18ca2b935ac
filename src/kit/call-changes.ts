import {
  namedPaths,
  ToolError,
  type Confinement,
  type HostFs,
  type StagedChanges,
  type UndoRef,
} from "../core/index.ts";
import type { Journal } from "../journal/index.ts";
import type { ApprovalRefused, ConfineRequest } from "../pipeline/index.ts";
import { opensProtected, refusesQuestions, type WrittenBy } from "../policy/index.ts";
import type { Overlay, Sandbox } from "../sandbox/index.ts";
import { allowedChanges } from "./allowed-changes.ts";
import type { CommandOverlays } from "./command-overlays.ts";
import { plantedChanges } from "./planted-changes.ts";
import { reachesBeyond } from "./reaches-beyond.ts";

/** What came of the changes that one call's programs made on overlays. */
export interface StagedAccount {
  readonly notes: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly undo?: UndoRef;
  readonly failure?: ToolError;
}

export interface ChangesParts {
  readonly overlays: CommandOverlays;
  readonly journal: Pick<Journal, "apply" | "watch">;
  readonly fs: Pick<HostFs, "stat" | "readFile">;
  /** What counts as the workspace; paths are told from the first. */
  readonly roots: readonly string[];
  readonly cwd: string;
  /** Whose word counts about what a call of this agent has changed. */
  readonly judge: (agentId: string | undefined) => WrittenBy;
}

/** The changes of one call's programs, from their overlay to the real tree. */
export class CallChanges {
  readonly #overlays: CommandOverlays;
  readonly #journal: Pick<Journal, "apply" | "watch">;
  readonly #parts: ChangesParts;
  readonly #request: ConfineRequest;
  readonly #notes: string[] = [];
  readonly #approved = new Set<string>();
  #applied: UndoRef | undefined;
  #changed = 0;
  #failure: ToolError | undefined;
  #because: string | undefined;
  #running = 0;
  #isOver = false;

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
      await this.#watch();
      return sandbox;
    }
    this.#running += 1;
    return {
      wrap: (argv, options) => overlay.confinement.wrap(argv, options),
      ended: async () => {
        const told = this.#notes.length;
        await this.#take(overlay, sandbox !== undefined);
        this.#running -= 1;
        return this.#isOver ? this.#lateWord(this.#notes.slice(told)) : undefined;
      },
    };
  }

  /** An overlay that cannot be had stops no command, unless a person is to see first what it changes. */
  async #prepared(sandbox: Sandbox | undefined): Promise<Overlay | undefined> {
    try {
      return await this.#overlays.prepare(sandbox);
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
    if (!this.#isOpen() || this.#overlays.mode === "off") return;
    const { callId, tool, sessionId, agentId } = this.#request;
    await this.#journal.watch(callId, this.#overlays.roots, {
      tool,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
    });
  }

  #isOpen(): boolean {
    return this.#request.grant.effects.some(
      (effect) =>
        effect.kind === "unknown" || (effect.kind === "execute" && effect.consequences === "open"),
    );
  }

  /** What is told when the tool has come back. */
  account(): StagedAccount {
    this.#isOver = true;
    const isLate = this.#running > 0;
    if (isLate) {
      this.#notes.push("What it changes in files is there when it has ended, not before.");
    }
    return {
      notes: this.#notes,
      facts: {
        overlay: this.#because === undefined ? this.#overlays.mode : "none",
        ...(this.#because === undefined ? {} : { because: this.#because }),
        ...(this.#changed === 0 ? {} : { changed: this.#changed }),
      },
      ...(this.#applied === undefined ? {} : { undo: this.#applied }),
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
    if (!this.#isOpen() && !(await reachesBeyond(effects, this.#parts.fs)))
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
    const because = await this.#overlays.unavailable(effects);
    if (because !== undefined) return because;
    const held = await this.#overlays.held();
    return held === undefined ? undefined : `Another program has ${held} locked.`;
  }

  async #take(overlay: Overlay, isConfined: boolean): Promise<void> {
    let kept: string | undefined;
    let found: StagedChanges | undefined;
    try {
      found = allowedChanges(await overlay.changes(), this.#parts.judge(this.#request.agentId));
      // Nothing kept it from writing elsewhere.
      const staged = isConfined ? found : { ...found, through: [...found.through, "/"] };
      if (staged.changes.length === 0 && staged.refused.length === 0) return;
      if (await this.#mayCount(staged)) await this.#apply(staged);
    } catch (error) {
      kept = folderOf(found);
      this.#failure ??= failureOf(error, kept);
    } finally {
      // What could not be brought to its place is not lost as long as the toolkit is open.
      if (kept === undefined) await overlay.drop().catch(() => undefined);
    }
  }

  /** Whether it may count; a no is noted, or is what the call fails with where the person did not choose to be asked. */
  async #mayCount(staged: StagedChanges): Promise<boolean> {
    const isPreview = this.#overlays.mode === "preview";
    const by = this.#parts.judge(this.#request.agentId);
    const { grant, approve } = this.#request;
    const planted = opensProtected(by)
      ? []
      : await plantedChanges(staged.changes, {
          fs: this.#parts.fs,
          roots: this.#parts.roots,
          effects: grant.effects,
        });
    if (!isPreview && planted.length === 0) return true;
    const refused =
      planted.length > 0 && refusesQuestions(by)
        ? refusedByMode
        : await approve(staged, planted.length === 0 ? {} : { planted });
    if (refused === undefined) {
      for (const path of planted) this.#approved.add(path);
      return true;
    }
    if (planted.length === 0) {
      this.#notes.push(`What it changed was dropped, because ${refused.because}.`);
    } else {
      this.#failure ??= plantedError(planted, { refused, cwd: this.#parts.cwd });
    }
    return false;
  }

  async #apply(staged: StagedChanges): Promise<void> {
    const { callId, tool, sessionId, agentId } = this.#request;
    // The record of a call that is over is closed; what comes later is one of its own.
    const id = this.#isOver ? `${callId}-end` : callId;
    const entry = await this.#journal.apply(id, staged, {
      tool,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
    });
    if (entry === undefined) return;
    // Of what its checkpoint keeps beside it is not known yet what became.
    this.#changed += entry.changes.filter(({ change }) => change !== "unknown").length;
    this.#applied = { callId: entry.callId, level: entry.level };
    const [first] = staged.refused;
    if (first !== undefined) {
      const more = staged.refused.length > 1 ? ` and ${staged.refused.length - 1} more` : "";
      this.#notes.push(
        `${first.path}${more} could not be brought to the workspace: ${first.because.replace(/\.$/u, "")}.`,
      );
    }
  }
}

/** Where the files are that a command made; undefined where it made none. */
function folderOf(staged: StagedChanges | undefined): string | undefined {
  for (const { to } of staged?.changes ?? []) {
    const folder =
      to.kind === "file" ? /^.*?\/haft-overlay-[^/]+/u.exec(to.source)?.[0] : undefined;
    if (folder !== undefined) return folder;
  }
  return undefined;
}

const refusedByMode: ApprovalRefused = {
  because: "this mode refuses what would be asked",
  code: "APPROVAL_REQUIRED",
};

/** The whole of it was dropped: half of what a command did is what nobody wanted. */
function plantedError(
  planted: readonly string[],
  { refused, cwd }: { readonly refused: ApprovalRefused; readonly cwd: string },
): ToolError {
  const files = planted.length === 1 ? "a protected file" : "protected files";
  return new ToolError(
    refused.code,
    `Nothing of what the command changed was kept, because it also changed ${files} (${namedPaths(planted, cwd)}) and ${refused.because}.`,
    {
      hint: "It ran on files kept apart, so the workspace is as it was. Do it again without those files; if they are needed, name each in a call of its own, so that a person is asked.",
      data: { paths: planted.slice(0, maxData) },
      retryable: false,
    },
  );
}

/** Paths told to programs; more of them say nothing new. */
const maxData = 100;

function failureOf(error: unknown, kept: string | undefined): ToolError {
  const where =
    kept === undefined ? "" : ` What it made is in ${kept} until the toolkit is closed.`;
  if (!ToolError.is(error)) {
    const message = "What the command changed could not be brought to its place.";
    return new ToolError("INTERNAL", `${message}${where}`, {
      hint: "Nothing of it has reached the workspace. Look at it, then run it again.",
      cause: error,
    });
  }
  const { code, message, hint, data, retryable } = error;
  return new ToolError(code, `${message}${where}`, {
    ...(hint === undefined ? {} : { hint }),
    ...(data === undefined ? {} : { data }),
    retryable,
    cause: error,
  });
}
