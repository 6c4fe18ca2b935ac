type Argument = string | LooseWord;
interface ArgvPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
interface Assign {
  readonly name: string;
  readonly value: Word;
}
interface Assignment {
  readonly name: string;
  readonly whole: Argument | undefined;
  readonly value: Argument;
  readonly elements?: readonly Argument[];
  readonly span: Span;
}
interface Boundary {
  readonly roots: readonly string[];
  readonly readOnlyRoots?: readonly string[];
  readonly restrictToWorkspace: boolean;
  readonly home?: string;
  readonly secrets?: Pick<SecretPlaces, "at" | "below">;
  readonly protected?: readonly string[];
}
interface ByProgram {
  readonly by?: Span;
  readonly through?: string;
}
interface CallEntry {
  readonly rule: Rule;
  readonly matcher: CallMatcher;
}
type CallMatcher = Extract<Matcher, {
  readonly on: "tool" | "parameter" | "skill";
}>;
interface CommandAnalysis {
  readonly input: string;
  readonly invocations: readonly Invocation[];
  readonly effects: readonly Effect[];
  readonly class: CommandClass;
  readonly readOnly: boolean;
  readonly findings: readonly ShellFinding[];
  readonly defines: readonly string[];
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
interface CommandNode {
  readonly kind: "command";
  readonly words: readonly Argument[];
  readonly spans: readonly Span[];
  readonly assigns: readonly Assignment[];
  readonly redirects: readonly Redirection[];
  readonly inside: Inside | undefined;
  readonly span: Span;
}
interface CommandPattern {
  readonly isAny: boolean;
  readonly isNamed: boolean;
  readonly forms: readonly Wildcard[];
  readonly hasStar: boolean;
}
interface CommandPlace {
  readonly cwd: string;
  readonly workspace: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly git?: LookedAtGit | undefined;
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
  readonly span?: Span;
}
interface DecidedCommand {
  readonly analysis: CommandAnalysis;
  readonly effects: readonly Effect[];
  readonly decision: Decision;
  readonly boundary: Pick<Boundary, "roots">;
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
}
type Effect = ReadEffect | WriteEffect | ExecuteEffect | ConnectEffect | DelegateEffect | InteractEffect | UnknownEffect;
type EffectKind = Effect["kind"];
interface Entry<P> {
  readonly rule: Rule;
  readonly pattern: P;
}
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
  readonly span: Span;
}
interface ExplainOptions extends CommandPlace {
  readonly rules?: CommandRules | RuleSet | undefined;
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
}
type FindingRule = "floor" | "high-risk" | "refused";
type Folders = readonly string[] | undefined;
type Gap =
{
  readonly kind: "variable";
  readonly name: string;
} |
{
  readonly kind: "pattern";
  readonly text: string;
} |
{
  readonly kind: "match";
  readonly text: string;
} |
{
  readonly kind: "token";
} |
{
  readonly kind: "among";
  readonly words: readonly Argument[];
} |
{
  readonly kind: "output";
  readonly script: ShellNode;
} |
{
  readonly kind: "found";
  readonly below: readonly Argument[];
  readonly bare?: boolean;
  readonly several?: boolean;
} |
{
  readonly kind: "stream";
  readonly script?: ShellNode;
} |
{
  readonly kind: "number";
  readonly signed: boolean;
} | {
  readonly kind: "opaque";
};
type GitConfig = string | Readonly<Record<string, string>>;
type GlobSegment = {
  readonly kind: "deep";
} | {
  readonly kind: "any";
} | {
  readonly kind: "literal";
  readonly text: string;
} | {
  readonly kind: "wild";
  readonly tokens: readonly GlobToken[];
};
type GlobToken = {
  readonly kind: "star";
} | {
  readonly kind: "one";
} | {
  readonly kind: "char";
  readonly text: string;
} | {
  readonly kind: "class";
  readonly negated: boolean;
  readonly ranges: readonly Range[];
};
interface Grant {
  readonly effects: readonly Effect[];
  readonly exclusions: readonly Exclusion[];
  excludes(path: string, access: "read" | "write"): string | undefined;
}
interface Hazard {
  readonly because: string;
  readonly span: Span;
  readonly numbers?: readonly string[];
  readonly output?: ShellNode;
}
interface HostPattern {
  readonly below: string | undefined;
  readonly labels: readonly Wildcard[];
  readonly isAny: boolean;
  readonly isNamed: boolean;
  readonly port?: number | "*";
}
interface Inside {
  readonly scripts: readonly ShellNode[];
  readonly hazards: readonly Hazard[];
  readonly sets: readonly VariableSet[];
}
interface InteractEffect {
  readonly kind: "interact";
}
interface Invocation {
  readonly name: string | undefined;
  readonly argv: readonly Argument[];
  readonly assigns: readonly {
    readonly name: string;
    readonly value: Argument;
  }[];
  readonly redirects: readonly Redirection[];
  readonly context: InvocationContext;
  readonly span: Span;
  readonly via: readonly string[];
  readonly folders: Folders;
}
type InvocationContext = "list" | "pipe" | "subshell" | "substitution" | "function" | "branch" | "loop" | "heredoc";
interface LookedAtGit {
  readonly config: GitConfig;
  readonly folders?: readonly string[];
}
interface LooseWord {
  readonly dynamic: string;
  readonly pieces: readonly (string | Gap)[];
  readonly splits: boolean;
}
type Matcher =
{
  readonly on: "tool";
  readonly names: readonly Wildcard[];
} |
{
  readonly on: "origin";
  readonly origin: string;
} | {
  readonly on: "parameter";
  readonly names: readonly Wildcard[];
  readonly parameter: string;
  readonly value: Wildcard;
} | {
  readonly on: "skill";
  readonly forms: readonly Wildcard[];
} | {
  readonly on: "read" | "write";
  readonly pattern: PathPattern | undefined;
} | {
  readonly on: "execute";
  readonly pattern: CommandPattern;
} | {
  readonly on: "connect";
  readonly pattern: HostPattern;
} | {
  readonly on: "delegate";
  readonly name: Wildcard;
};
type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
interface PathPattern {
  readonly text: string;
  readonly places: readonly Place[];
  readonly directoryOnly: boolean;
  readonly ignoreCase: boolean;
}
interface Place {
  readonly root: string;
  readonly prefix: string;
  readonly segments: readonly GlobSegment[];
  readonly written?: string | undefined;
  readonly text?: string;
}
type PolicyTool = Pick<ToolTraits, "name" | "aliases" | "touches" | "source">;
type Range = readonly [first: string, last: string];
interface ReadEffect extends ByProgram {
  readonly kind: "read";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly span?: Span;
}
type RedirectOperator = ">" | ">>" | "<" | "<>" | "<&" | ">&" | ">|" | "&>" | "&>>" | "<<" | "<<<";
interface Redirection {
  readonly operator: RedirectOperator;
  readonly descriptor: number | undefined;
  readonly target: Argument;
  readonly span: Span;
}
interface Rule {
  readonly ref: RuleRef;
  readonly denyMessage: string | undefined;
  readonly modes: ReadonlySet<Mode> | undefined;
  readonly subagent: string | undefined;
  readonly expires: number | undefined;
  readonly needsTrust: boolean;
  readonly isGuess: boolean;
  readonly matchers: readonly Matcher[];
  readonly except: readonly Matcher[];
}
interface RuleIndex {
  readonly call: readonly CallEntry[];
  readonly read: readonly Entry<PathPattern | undefined>[];
  readonly write: readonly Entry<PathPattern | undefined>[];
  readonly execute: readonly Entry<CommandPattern>[];
  readonly connect: readonly Entry<HostPattern>[];
  readonly delegate: readonly Entry<Wildcard>[];
  readonly origin: readonly Entry<string>[];
}
type RuleList = "deny" | "ask" | "allow";
interface RuleRef {
  readonly rule: string;
  readonly list: "deny" | "ask" | "allow";
  readonly scope: RuleScope;
  readonly file?: string;
  readonly line?: number;
}
type RuleScope = "floor" | "managed" | "option" | "session" | "local" | "project" | "user" | "mode" | "built-in" | "boundary" | "taint" | "ceiling";
interface RuleSet {
  readonly rules: readonly Rule[];
  readonly deny: RuleIndex;
  readonly ask: RuleIndex;
  readonly allow: RuleIndex;
  forTool(tool: PolicyTool): ToolRules;
}
interface SecretNode {
  readonly names: Map<string, {
    readonly text: string;
    readonly node: SecretNode;
  }>;
  readonly wild: {
    readonly text: string;
    readonly name: RegExp;
    readonly node: SecretNode;
  }[];
  isSecret: boolean;
}
interface SecretPlaces {
  readonly root: SecretNode;
  readonly open: readonly string[];
  at(path: string): string | undefined;
  below(tree: string): readonly string[];
}
interface ServiceToken<T> {
  readonly id: string;
  readonly type?: T;
}
interface ShellFinding {
  readonly rule: FindingRule;
  readonly text: string;
  readonly span: Span;
}
type ShellNode = CommandNode | {
  readonly kind: "list";
  readonly parts: readonly ShellNode[];
} | {
  readonly kind: "chain";
  readonly parts: readonly ShellNode[];
  readonly operators: readonly ("&&" | "||")[];
} | {
  readonly kind: "pipe";
  readonly parts: readonly ShellNode[];
} | {
  readonly kind: "subshell";
  readonly body: ShellNode;
} | {
  readonly kind: "branch";
  readonly arms: readonly (readonly [ShellNode | undefined, ShellNode])[];
  readonly falling?: readonly number[];
} | {
  readonly kind: "loop";
  readonly condition: ShellNode | undefined;
  readonly body: ShellNode;
  readonly each?: {
    readonly name: string;
    readonly words: readonly Argument[] | undefined;
    readonly expands: readonly Argument[] | undefined;
    readonly span: Span;
  };
} | {
  readonly kind: "function";
  readonly name: string;
  readonly body: ShellNode;
  readonly span: Span;
} | {
  readonly kind: "redirected";
  readonly body: ShellNode;
  readonly redirects: readonly Redirection[];
  readonly inside: Inside | undefined;
} |
{
  readonly kind: "words";
  readonly inside: Inside;
};
interface Span {
  readonly start: number;
  readonly end: number;
}
interface ToolFlags {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly concurrencySafe: boolean;
}
interface ToolRules {
  readonly deny: readonly CallEntry[];
  readonly ask: readonly CallEntry[];
  readonly allow: readonly CallEntry[];
}
interface ToolSource {
  readonly id: string;
  readonly name: string;
  readonly kind: "built-in" | "custom" | "mcp";
}
interface ToolTraits {
  readonly name: string;
  readonly displayName?: string;
  readonly version?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  readonly searchHint?: string;
  readonly icon?: string;
  readonly source?: ToolSource;
  readonly strict?: boolean;
  readonly touches: readonly EffectKind[];
  readonly flags?: Partial<ToolFlags>;
  readonly timeoutMs?: number;
  readonly maxChars?: number;
  readonly variantOf?: string;
  readonly staged?: "files" | "commands";
  readonly needs?: readonly ServiceToken<unknown>[];
}
interface UnknownEffect extends ByProgram {
  readonly kind: "unknown";
  readonly because: string;
  readonly origin: string;
  readonly span?: Span;
  readonly floor?: boolean;
  readonly alwaysAsks?: boolean;
}
interface VariableSet {
  readonly name: string;
  readonly isNumber: boolean;
}
interface Wildcard {
  readonly pieces: readonly string[];
}
type Word = string | {
  readonly dynamic: string;
};
interface WriteEffect extends ByProgram {
  readonly kind: "write";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly change: "create" | "modify" | "delete" | "any";
  readonly span?: Span;
}
export declare function analyseCommand(text: string, place: CommandPlace): CommandAnalysis;
export declare function callEffects(analysis: CommandAnalysis): readonly Effect[];
export declare function commandEffects(text: string, place: CommandPlace): readonly Effect[];
export declare function explainCommand(text: string, options: ExplainOptions): CommandExplanation;
export declare function explanationOf(decided: DecidedCommand): CommandExplanation;
export declare const gitNeutralisers: Readonly<Record<string, string>>;
export declare function planArgv(analysis: CommandAnalysis): ArgvPlan | undefined;
export declare function planCommand(text: string, place: CommandPlace): ArgvPlan | undefined;
export type { Argument, ArgvPlan, Assignment, CommandAnalysis, CommandClass, CommandExplanation, CommandPlace, CommandReason, CommandRules, CommandVerdict, DecidedCommand, ExplainOptions, ExplainedCommand, FindingRule, Gap, GitConfig, Invocation, InvocationContext, LookedAtGit, LooseWord, RedirectOperator, Redirection, ShellFinding };
