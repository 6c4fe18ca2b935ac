/** A half-open range of UTF-16 offsets into the text a call was read from. */
export interface Span {
  /** First character, counted from 0. */
  readonly start: number;
  /** Character after the last one. */
  readonly end: number;
}

/** One word of a command: its text after quote removal, or why the shell would still expand it. */
export type Word = string | { readonly dynamic: string };

/**
 * Ties an effect to the program that has it: the span of the `execute` effect whose program does this by
 * itself. Left out for what the shell does (a redirection) and for what a tool does without a program.
 */
export interface ByProgram {
  /** Program that causes it, as its place in the text of the command. */
  readonly by?: Span;
  /**
   * The option, or command in the program's script, that causes this effect in addition to the program's purpose, such
   * as `--output` of `git log`; "" where no word of its own does. A rule that ends in a star covers the effect only if
   * it names this word.
   */
  readonly through?: string;
}

/** A variable assignment in front of a command. */
export interface Assign {
  /** Name of the variable. */
  readonly name: string;
  /** Its value. */
  readonly value: Word;
}

/** Reading of a file or tree. */
export interface ReadEffect extends ByProgram {
  readonly kind: "read";
  /** Absolute and canonical path. */
  readonly path: string;
  /** `tree` includes everything below a directory. */
  readonly scope: "file" | "tree";
  /** Place in the text of the command. */
  readonly span?: Span;
}

/** A change of a file or tree. */
export interface WriteEffect extends ByProgram {
  readonly kind: "write";
  /** Absolute and canonical path. */
  readonly path: string;
  /** `tree` includes everything below a directory. */
  readonly scope: "file" | "tree";
  /** Kind of change; `any` where it is not known. */
  readonly change: "create" | "modify" | "delete" | "any";
  /** Part of the tree to which the change is limited. */
  readonly part?: WrittenPart;
  /** Place in the text of the command. */
  readonly span?: Span;
}

/** Paths in a tree that a pattern of a command names, as in `rm -r ~/.cache/a*`. */
export interface WrittenPart {
  /** Path below the tree, in which `*` is any text, and `**` as a whole name any number of names. */
  readonly pattern: string;
  /** Kind of change of each path that the pattern matches. */
  readonly change: WriteEffect["change"];
}

/**
 * Starts a program. With listed consequences it does nothing beyond the other effects of the same
 * call; with open ones it may do anything, and the call also carries an `unknown` effect.
 */
export interface ExecuteEffect {
  readonly kind: "execute";
  /** Program and arguments. */
  readonly argv: readonly Word[];
  /** Variables set for the program. */
  readonly assigns: readonly Assign[];
  /** Programs that start this one, outermost first: `sudo`, `env`, `sh -c`. */
  readonly via: readonly string[];
  /** `listed`: the other effects are all it does; `open`: it may do anything. */
  readonly consequences: "listed" | "open";
  /**
   * Where the program works, if not only in the call's directory: the directories in which it may start, and the paths
   * that its words spell and that may lead elsewhere. Canonical once the pipeline has resolved them.
   */
  readonly worksIn?: readonly string[] | "unknown";
  /**
   * `named`: it contacts only the hosts of its `connect` effects, whatever else it may do. `unknown`: it takes addresses,
   * and may contact a host that no effect names, so a deny or ask rule for any host may be meant.
   */
  readonly hosts?: "named" | "unknown";
  /**
   * `declared`: the sandbox opens only the paths and hosts of the other effects of the call, and a private directory.
   * The program starts nowhere else, unless the call also has an `unknown` effect that was allowed.
   */
  readonly access?: "declared";
  /** Place in the text of the command. */
  readonly span: Span;
}

/** A connection over the network. */
export interface ConnectEffect extends ByProgram {
  readonly kind: "connect";
  /** Host name or address. */
  readonly host: string;
  /** Port; any port if absent. */
  readonly port?: number;
  /**
   * "public": only public addresses are reached, which the host enforces, and only what the call itself names is sent.
   * Absent: any address.
   */
  readonly reach?: "public";
  /** Place in the text of the command. */
  readonly span?: Span;
}

/** Starts or talks to another agent or session. */
export interface DelegateEffect {
  readonly kind: "delegate";
  /** Name of the agent's definition, or id of the session. */
  readonly agent: string;
  /**
   * An agent of this session, whose own calls are judged, or another session, which is not limited by this one.
   *
   * @default "agent"
   */
  readonly target?: "agent" | "session";
}

/** Shows something to the user. */
export interface InteractEffect {
  readonly kind: "interact";
}

/** An effect that cannot be determined; it requires approval and is never assumed to be harmless. */
export interface UnknownEffect extends ByProgram {
  readonly kind: "unknown";
  /** Reason why the effects are not known. */
  readonly because: string;
  /** Source of the effect: a program's name, or an MCP server as `mcp__server`. */
  readonly origin: string;
  /** Place in the text of the command. */
  readonly span?: Span;
  /** It would destroy the machine, a home or a disk: no mode and no rule allows it. */
  readonly floor?: boolean;
  /** Requires approval each time: no rule allows it. */
  readonly alwaysAsks?: boolean;
}

/** One thing a call will touch, for this input. Paths are canonical once the pipeline has them. */
export type Effect =
  | ReadEffect
  | WriteEffect
  | ExecuteEffect
  | ConnectEffect
  | DelegateEffect
  | InteractEffect
  | UnknownEffect;

/** Kind of an effect. */
export type EffectKind = Effect["kind"];

/** Every effect kind, weakest first. */
export const effectKinds = [
  "interact",
  "read",
  "connect",
  "delegate",
  "write",
  "execute",
  "unknown",
] as const satisfies readonly EffectKind[];

/** Above this many paths, a call's effects collapse to the trees that hold them. */
export const maxEffectPaths = 256;
