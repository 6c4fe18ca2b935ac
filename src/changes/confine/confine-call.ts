import { isWithin } from "../../text/index.ts";
import {
  ToolError,
  type Effect,
  type EndedProgram,
  type Grant,
  type Host,
  type SandboxReport,
  type Word,
} from "../../core/index.ts";
import type { PipelineEnvironment } from "../../pipeline/index.ts";
import type { WrittenBy } from "../../policy/index.ts";
import type {
  DeclaredAccess,
  RefusedAction,
  OpenedSandbox,
  Sandbox,
  Sandboxes,
  SandboxRequest,
} from "../../sandbox/index.ts";
import { OverlayChanges, type ChangesParts } from "../collect.ts";
import { notableWrites } from "../protected/protected-writes.ts";
import { ruledPaths, type RuledPaths } from "./rule-paths.ts";

export interface ConfineParts {
  readonly host: Host;
  /** Returns the rules that apply to the programs of an agent. */
  readonly judge: (agentId: string | undefined) => WrittenBy;
  readonly require: "enforced" | "best-effort" | "off";
  /** Loads the sandboxes, on the first program. */
  readonly sandboxes: () => Promise<Sandboxes>;
  /** Creates the directories in which commands write status files, on the first command. */
  readonly prepareCommands: () => Promise<void>;
}

/** Confines the programs of a kit's calls. */
export function confineCalls(
  parts: ConfineParts & ChangesParts,
): NonNullable<PipelineEnvironment["confine"]> {
  const open = openConfined(parts, { writesStatus: true });
  return async (request) => {
    const opened = await open(request.grant, request.agentId);
    const changes = new OverlayChanges(parts, request);
    return {
      confinement: async (program) => await changes.confinement(program, opened.confinement),
      async close(ended) {
        const { notes, sandbox } = await opened.close(ended, changes.approved);
        const { facts: files, undo, failure, notes: more } = await changes.account(ended);
        return {
          notes: [...notes, ...more],
          metadata: { sandbox: { ...sandbox, ...(undo && { undo: undo.level }), files } },
          ...(undo === undefined ? {} : { undo }),
          ...(failure === undefined ? {} : { failure }),
        };
      },
    };
  };
}

/** How programs are started under a grant. */
export interface OpenConfinement {
  /** Undefined if they run unconfined. */
  readonly confinement: Sandbox | undefined;
  readonly report: SandboxReport;
  /** Removes what only they need, after they have ended, where nobody reads how they ran. */
  readonly release: (ended: readonly EndedProgram[]) => Promise<void>;
  /** The same, and reports how they ran. */
  readonly close: (
    ended: readonly EndedProgram[],
    /** Protected paths that the user has approved. */
    approved?: ReadonlySet<string>,
  ) => Promise<{
    readonly notes: readonly string[];
    /** Entry in the metadata of an outcome. */
    readonly sandbox: Readonly<Record<string, unknown>>;
  }>;
}

/** Confines programs that no call starts, and those of a dry run. */
export function openConfined(
  parts: ConfineParts,
  {
    isTrial = false,
    writesStatus = false,
    keep = async () => [],
  }: {
    readonly isTrial?: boolean;
    /** Whether the programs write status files, as commands of tools do. */
    readonly writesStatus?: boolean;
    readonly keep?: () => Promise<readonly string[]>;
  } = {},
): (grant: Pick<Grant, "effects">, agentId?: string) => Promise<OpenConfinement> {
  const { host, judge, require } = parts;
  const ruled = ruledPaths(host);
  return async (grant, agentId) => {
    if (host.info.capabilities.confinement !== true) {
      if (require === "enforced" || isClosed(grant)) throw notHere();
      return unconfined(require === "off" ? "It was switched off." : "This host cannot confine.");
    }
    const sandboxes = await parts.sandboxes();
    // Also where nothing is written there: only a data directory that exists is hidden.
    await parts.prepareCommands();
    const paths = await ruled(judge(agentId));
    const wishes = { ...wishesOf(grant, paths), writesStatus };
    // A dry run changes nothing outside its overlay, even if writes are granted.
    const opened = await sandboxes.open(
      isTrial
        ? { ...wishes, writes: [], open: [], keep: [...wishes.keep, ...(await keep())] }
        : wishes,
    );
    return confinementOf(opened, { effects: grant.effects, fs: host.fs, paths });
  };
}

/** Whether programs of a grant must not start without a sandbox, because they would reach more than was allowed. */
function isClosed({ effects }: Pick<Grant, "effects">): boolean {
  return (
    effects.some((effect) => effect.kind === "execute" && effect.access === "declared") &&
    !effects.some(({ kind }) => kind === "unknown")
  );
}

function wishesOf(
  { effects }: Pick<Grant, "effects">,
  { open, reads, hide, keep }: RuledPaths,
): SandboxRequest {
  const executes = effects.filter((effect) => effect.kind === "execute");
  const isDeclared = executes.length > 0 && executes.every(({ access }) => access === "declared");
  return {
    ...(isDeclared ? { declared: declaredAccess(effects) } : {}),
    commands: executes.map(knownWords),
    openCommands: executes.filter(({ consequences }) => consequences === "open").map(knownWords),
    writes: effects.flatMap((effect) =>
      effect.kind === "write" && !effect.path.startsWith("/dev/")
        ? // The shell opens the file in place when it writes; a program may replace it.
          [{ path: effect.path, replaces: effect.by !== undefined || effect.change === "delete" }]
        : [],
    ),
    open,
    reads: [...reads, ...effects.flatMap((effect) => (effect.kind === "read" ? effect.path : []))],
    hide,
    keep,
  };
}

/** Everything that a program may reach which gets only what its call declares. */
function declaredAccess(effects: readonly Effect[]): DeclaredAccess {
  const hosts = effects.flatMap((effect) => {
    if (effect.kind !== "connect") return [];
    return effect.port === undefined ? effect.host : `${effect.host}:${effect.port}`;
  });
  return {
    reads: effects.filter((effect) => effect.kind === "read"),
    writes: effects.filter((effect) => effect.kind === "write"),
    hosts,
    isOpen: effects.some(({ kind }) => kind === "unknown"),
  };
}

function knownWords({ argv }: { readonly argv: readonly Word[] }): readonly (string | undefined)[] {
  return argv.map((word) => (typeof word === "string" ? word : undefined));
}

function confinementOf(
  opened: OpenedSandbox,
  {
    effects,
    fs,
    paths: { isPartial },
  }: {
    readonly effects: readonly Effect[];
    readonly fs: Host["fs"];
    readonly paths: RuledPaths;
  },
): OpenConfinement {
  const { sandbox, report, because } = opened;
  const more = isPartial && sandbox !== undefined ? [patternGap] : [];
  const release = async (ended: readonly EndedProgram[]): Promise<readonly RefusedAction[]> => {
    await opened.release?.();
    return opened.refusedActions(ended);
  };
  return {
    confinement: sandbox,
    report,
    release: async (ended) => void (await release(ended)),
    close: async (ended, approved = new Set()) => {
      const denials = await release(ended);
      const protectedWrites = await opened.protectedWrites();
      const notable = await notableWrites(protectedWrites, { fs, effects });
      return {
        notes: [...refusalNotes(denials, ended), ...protectedWriteNotes(notable, approved)],
        sandbox: {
          ...facts(report, more),
          ...(because === undefined ? {} : { because }),
          ...(denials.length === 0 ? {} : { denials }),
          ...(protectedWrites.length === 0 ? {} : { protectedWrites }),
        },
      };
    },
  };
}

/** SandboxGap for files that deny rules name by a pattern and that were not all found. */
const patternGap = "denied-patterns";

/** Shortens the report to the ids of the gaps; haft doctor explains them. */
function facts({ gaps, ...report }: SandboxReport, more: readonly string[]) {
  return { ...report, gaps: [...gaps.map(({ id }) => id), ...more] };
}

function unconfined(because: string): OpenConfinement {
  const account = { notes: [], sandbox: { ...facts(nothingHeld, []), because } };
  return {
    confinement: undefined,
    report: nothingHeld,
    release: async () => undefined,
    close: async () => account,
  };
}

const nothingHeld: SandboxReport = {
  provider: "none",
  filesystem: "none",
  network: "none",
  ipc: "none",
  process: "none",
  undo: "none",
  gaps: [],
};

/** Error for a host that cannot confine although a sandbox is required. */
function notHere(): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    "A sandbox is required, and this host cannot confine programs.",
    {
      hint: 'Use a host that can, or set the sandbox to "best-effort".',
      retryable: false,
    },
  );
}

/** Returns one sentence for the strongest refusal and one that says how to allow it. */
function refusalNotes(
  actions: readonly RefusedAction[],
  ended: readonly EndedProgram[],
): readonly string[] {
  const [first] = actions;
  if (first === undefined || ended.every(({ code }) => code === 0)) return [];
  const more = actions.length > 1 ? ` (${actions.length - 1} more in the details)` : "";
  return [`${refused(first)}${more} ${remedy(first)}`];
}

function refused(action: RefusedAction): string {
  switch (action.kind) {
    case "write":
      return `The sandbox kept ${action.path} from being changed.`;
    case "read":
      return `The sandbox hides ${action.path}.`;
    case "connect":
      return action.host === undefined
        ? "The sandbox refused a connection."
        : `The sandbox refused a connection to ${action.host}.`;
    case "socket":
      return action.path === undefined
        ? "The sandbox refused a unix socket."
        : `The sandbox refused a unix socket at ${action.path}.`;
    case "process":
      return "The sandbox refused a system call.";
    case "setup":
      return `The sandbox itself failed, so nothing ran: ${action.reason}.`;
  }
}

function remedy(action: RefusedAction): string {
  switch (action.kind) {
    case "write":
      return `If that is meant to be, name the path in the command, so that the user is asked, or ask them for the rule Edit(/${action.path}).`;
    case "read":
      return `If it is needed, name the path in the command, so that the user is asked, or ask them for the rule Read(/${action.path}).`;
    case "connect":
      return "The user can open it with the option sandbox.network.";
    case "socket":
      return "The sandbox has none. If the network is open, use a port of 127.0.0.1; to reach a service, the user can run it outside the sandbox.";
    case "process":
      return "The user can run it outside the sandbox.";
    case "setup":
      return "haft doctor says what works here.";
  }
}

function protectedWriteNotes(
  protectedWrites: readonly string[],
  approved: ReadonlySet<string>,
): readonly string[] {
  const named = protectedWrites.filter(
    (path) => ![...approved].some((each) => isWithin(path, each)),
  );
  if (named.length === 0) return [];
  return [
    `It created ${named.join(", ")}, which programs outside the sandbox obey; the user should check it.`,
  ];
}
