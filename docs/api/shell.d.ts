interface Assign {
  readonly name: string;
  readonly value: Word;
}
interface ByProgram {
  readonly by?: Span;
  readonly through?: string;
}
type CommandClass = "search" | "read" | "list" | "write" | "silent" | "general";
interface CommandExplanation {
  readonly input: string;
  readonly verdict: CommandVerdict;
  readonly readOnly: boolean;
  readonly class: CommandClass;
  readonly commands: readonly ExplainedCommand[];
  readonly effects: readonly Effect[];
  readonly reasons: readonly CommandReason[];
}
interface CommandPlace {
  readonly cwd: string;
  readonly workspace: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly git?: GitConfigSource | undefined;
}
interface CommandReason {
  readonly span: Span;
  readonly rule: string;
  readonly text: string;
}
type CommandRules = Readonly<Partial<Record<RuleList, readonly string[]>>>;
type CommandVerdict = "allow" | "ask" | "deny";
interface ConnectEffect extends ByProgram {
  readonly kind: "connect";
  readonly host: string;
  readonly port?: number;
  readonly reach?: "public";
  readonly span?: Span;
}
interface DecidedCommand extends Pick<CommandPlace, "cwd" | "workspace" | "home"> {
  readonly effects: readonly Effect[];
  readonly decision: Decision;
  readonly mode: Mode;
}
type Decision = {
  readonly kind: "allow";
  readonly rule: RuleRef;
  readonly grant: Grant;
  readonly trail: readonly Finding[];
} | {
  readonly kind: "ask";
  readonly question: string;
  readonly reason: string;
  readonly rule?: RuleRef;
  readonly suggestion?: string;
  readonly grant: Grant;
  readonly trail: readonly Finding[];
} | {
  readonly kind: "deny";
  readonly rule: RuleRef;
  readonly reason: string;
  readonly trail: readonly Finding[];
};
interface DelegateEffect {
  readonly kind: "delegate";
  readonly agent: string;
  readonly target?: "agent" | "session";
}
type Effect = ReadEffect | WriteEffect | ExecuteEffect | ConnectEffect | DelegateEffect | InteractEffect | UnknownEffect;
interface Exclusion {
  readonly root: string;
  readonly pattern: string;
  readonly rule: string;
}
interface ExecuteEffect {
  readonly kind: "execute";
  readonly argv: readonly Word[];
  readonly assigns: readonly Assign[];
  readonly via: readonly string[];
  readonly consequences: "listed" | "open";
  readonly worksIn?: readonly string[] | "unknown";
  readonly hosts?: "named" | "unknown";
  readonly access?: "declared";
  readonly span: Span;
}
interface ExplainOptions extends CommandPlace {
  readonly rules?: CommandRules | undefined;
  readonly mode?: Mode | undefined;
}
interface ExplainedCommand {
  readonly name: string | undefined;
  readonly argv: readonly Word[];
  readonly via: readonly string[];
  readonly span: Span;
}
interface Finding {
  readonly verdict: "allow" | "ask" | "deny" | "note";
  readonly text: string;
  readonly effect?: Effect;
  readonly rule?: RuleRef;
  readonly hint?: string;
}
type GitConfig = string | Readonly<Record<string, string>>;
interface GitConfigSource {
  readonly config: GitConfig;
  readonly folders?: readonly string[];
}
interface Grant {
  readonly effects: readonly Effect[];
  readonly exclusions: readonly Exclusion[];
  excludes(path: string, access: "read" | "write"): string | undefined;
}
interface InteractEffect {
  readonly kind: "interact";
}
type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
interface ReadEffect extends ByProgram {
  readonly kind: "read";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly span?: Span;
}
type RuleList = "deny" | "ask" | "allow";
interface RuleRef {
  readonly rule: string;
  readonly list: "deny" | "ask" | "allow";
  readonly scope: RuleScope;
  readonly file?: string;
  readonly line?: number;
}
type RuleScope = "floor" | "managed" | "option" | "session" | "local" | "project" | "user" | "mode" | "built-in" | "boundary" | "taint" | "ceiling" | "hook";
interface Span {
  readonly start: number;
  readonly end: number;
}
interface UnknownEffect extends ByProgram {
  readonly kind: "unknown";
  readonly because: string;
  readonly origin: string;
  readonly span?: Span;
  readonly floor?: boolean;
  readonly alwaysAsks?: boolean;
}
type Word = string | {
  readonly dynamic: string;
};
interface WriteEffect extends ByProgram {
  readonly kind: "write";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly change: "create" | "modify" | "delete" | "any";
  readonly part?: WrittenPart;
  readonly span?: Span;
}
interface WrittenPart {
  readonly pattern: string;
  readonly change: WriteEffect["change"];
}
export declare function commandEffects(text: string, place: CommandPlace): readonly Effect[];
export declare function explainCommand(text: string, options: ExplainOptions): CommandExplanation;
export declare function explainDecision(text: string, decided: DecidedCommand): CommandExplanation;
export type { CommandClass, CommandExplanation, CommandPlace, CommandReason, CommandRules, CommandVerdict, DecidedCommand, ExplainOptions, ExplainedCommand, GitConfig, GitConfigSource };
