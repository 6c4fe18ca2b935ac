import type { Confinement, EndedProgram } from "../core/index.ts";
import type { Grant } from "../core/index.ts";
import { ToolError } from "../core/index.ts";
import type { Host, LocatedPath, ProcessSpec, WriteTransaction } from "../core/index.ts";
import type { HostOptions } from "../core/index.ts";
import { isWithin, joinPath } from "../text/index.ts";
import { describeAll, describeNeed, isCovered, type RequiredAccess } from "./required-access.ts";

export interface NarrowOptions {
  /** Grant of the call; "read-only" allows reading any file and nothing else. */
  readonly grant: Grant | "read-only";
  /** Canonical directory that relative paths start at. */
  readonly cwd: string;
  /**
   * Canonical path of each path that was judged, by the path as named. These paths are not resolved again: if a link
   * has replaced one since, the host meets that link and refuses it.
   */
  readonly resolved?: ReadonlyMap<string, string> | undefined;
  /** Called with the canonical path of every other path that is resolved. */
  readonly onResolved?: ((named: string, canonical: string) => void) | undefined;
  /** Every change is made through it; absent where the call's changes are captured in another way, or not at all. */
  readonly transaction?: WriteTransaction | undefined;
  /** Aborts every operation that has no signal of its own; a function is called only when such an operation starts. */
  readonly signal?: (() => AbortSignal) | AbortSignal | undefined;
  /** Called with every undeclared effect, so that a tool cannot hide one by catching the error. */
  readonly onUndeclared?: ((error: ToolError) => void) | undefined;
  /** Returns the confinement for a program, called before each start; the tool's own confinement request is ignored. */
  readonly confine?:
    | ((program: Pick<ProcessSpec, "live">) => Promise<Confinement | undefined>)
    | undefined;
  /** Returns the confinement for the program that a search below `root` may start. */
  readonly confineSearch?:
    | ((root: string) => Promise<Pick<Confinement, "helper"> | undefined>)
    | undefined;
  /** Called with the end of each program by the reader of its output. */
  readonly onProgramEnd?: ((program: EndedProgram) => void) | undefined;
}

/**
 * Checks every operation of a tool against the grant before it reaches the host, and refuses all of them after the
 * call.
 */
export class GrantGuard {
  readonly host: Host;
  readonly #options: NarrowOptions;
  // Created on first use: every call makes two guards, and most calls need none of these.
  #made: Set<string> | undefined;
  /** Path as the tool named it, by canonical path, for each path whose canonical form differs. */
  #named: Map<string, string> | undefined;
  #isRevoked = false;

  constructor(host: Host, options: NarrowOptions) {
    this.host = host;
    this.#options = options;
  }

  async confinement(program: Pick<ProcessSpec, "live">): Promise<Confinement | undefined> {
    const confinement = await this.#options.confine?.(program);
    this.assertOpen();
    return confinement;
  }

  async searchConfinement(root: string): Promise<Pick<Confinement, "helper"> | undefined> {
    const confinement = await this.#options.confineSearch?.(root);
    this.assertOpen();
    return confinement;
  }

  get onProgramEnd(): NarrowOptions["onProgramEnd"] {
    return this.#options.onProgramEnd;
  }

  revoke(): void {
    this.#isRevoked = true;
  }

  assertOpen(): void {
    if (!this.#isRevoked) return;
    throw new ToolError("ABORTED", "This call has ended; its host does nothing more.", {
      hint: "Finish all work before the tool returns.",
      retryable: false,
    });
  }

  /** Options of an operation, with the call's signal if they have none. */
  options<T extends HostOptions>(options: T | undefined): T | HostOptions | undefined {
    if (options?.signal !== undefined) return options;
    const signal = this.#signal();
    if (signal === undefined) return options;
    return options === undefined ? { signal } : { ...options, signal };
  }

  get transaction(): WriteTransaction | undefined {
    return this.#options.transaction;
  }

  /** Canonical path of a path that was resolved when the call was judged. */
  known(path: string): string | undefined {
    this.assertOpen();
    return this.#options.resolved?.get(path);
  }

  async resolve(path: string, options: HostOptions | undefined): Promise<string> {
    const known = this.known(path);
    if (known !== undefined) return known;
    const signal = options?.signal ?? this.#signal();
    const canonical = await this.host.fs.canonical(path, { base: this.#options.cwd, signal });
    this.assertOpen();
    this.#resolved(path, canonical);
    return canonical;
  }

  /**
   * Resolves a path and requires that it may be inspected; also reports whether it exists, if the host finds out with
   * it.
   */
  async locate(path: string, options: HostOptions | undefined): Promise<LocatedPath> {
    const { cwd, resolved } = this.#options;
    const { fs } = this.host;
    if (fs.locate === undefined || resolved?.has(path) === true) {
      const at = await this.resolve(path, options);
      this.requireStat(at);
      return { path: at, exists: undefined };
    }
    this.assertOpen();
    const located = await fs.locate(path, { base: cwd, signal: options?.signal ?? this.#signal() });
    this.assertOpen();
    this.#resolved(path, located.path);
    this.requireStat(located.path);
    return located;
  }

  #signal(): AbortSignal | undefined {
    const { signal } = this.#options;
    return typeof signal === "function" ? signal() : signal;
  }

  #resolved(path: string, canonical: string): void {
    if (path !== canonical) (this.#named ??= new Map()).set(canonical, path);
    this.#options.onResolved?.(path, canonical);
  }

  /** Records a file that the call created: the call may delete it again, for example when a later step fails. */
  made(path: string): void {
    (this.#made ??= new Set()).add(path);
  }

  /**
   * Whether the grant names an address that is not public, so that the user allowed just that. Of another name it is not
   * known at the time of the decision where it leads.
   */
  opensPrivate(need: Extract<RequiredAccess, { readonly kind: "connect" }>): "by-name" | false {
    const { grant } = this.#options;
    if (grant === "read-only") return false;
    const isNamed = grant.effects.some(
      (effect) => effect.kind === "connect" && effect.reach !== "public" && isCovered(need, effect),
    );
    return isNamed && "by-name";
  }

  /** Whether the grant covers the access, regardless of rules that exclude paths inside the grant. */
  allows(need: RequiredAccess): boolean {
    const { grant } = this.#options;
    if (need.kind === "write" && need.change === "delete" && need.scope === "file") {
      if (this.#made?.has(need.path) === true) return true;
    }
    if (grant === "read-only") return need.kind === "read" && need.scope === "file";
    return grant.effects.some((effect) => effect.kind === "unknown" || isCovered(need, effect));
  }

  require(need: RequiredAccess): void {
    this.assertOpen();
    if (!this.allows(need)) throw this.undeclared(need);
    if (need.kind === "read" || need.kind === "write") this.requireUnexcluded(need);
  }

  /** Allows inspecting whatever may be read, and every directory that leads to a declared write. */
  requireStat(path: string): void {
    const need: RequiredAccess = { kind: "read", path, scope: "file" };
    if (!this.allows(need) && !this.#leadsToWrite(path, false)) throw this.undeclared(need);
    this.requireUnexcluded(need);
  }

  /** Allows creating a directory if its creation is declared, or if it leads to a declared creation. */
  requireMkdir(path: string): void {
    const need: RequiredAccess = { kind: "write", path, scope: "file", change: "create" };
    if (!this.allows(need) && !this.#leadsToWrite(path, true)) throw this.undeclared(need);
    this.requireUnexcluded(need);
  }

  /** The rule that excludes a path, or undefined. */
  exclusion(path: string, access: "read" | "write"): string | undefined {
    const { grant } = this.#options;
    if (grant === "read-only") return undefined;
    const rule = grant.excludes(path, access);
    if (rule !== undefined || access === "write" || !this.hasExclusions) return rule;
    // If the path is covered only by a write effect, a rule that excludes writing it also excludes reading it.
    const need: RequiredAccess = { kind: "read", path, scope: "file" };
    const isRead = grant.effects.some(
      (effect) => effect.kind !== "write" && (effect.kind === "unknown" || isCovered(need, effect)),
    );
    return isRead ? undefined : grant.excludes(path, "write");
  }

  get hasExclusions(): boolean {
    const { grant } = this.#options;
    return grant !== "read-only" && grant.exclusions.length > 0;
  }

  undeclared(need: RequiredAccess): ToolError {
    const { grant, onUndeclared } = this.#options;
    const effects = grant === "read-only" ? [] : grant.effects;
    const declared =
      grant === "read-only" ? "only reading is possible here" : `declared: ${describeAll(effects)}`;
    const error = new ToolError(
      "UNDECLARED_EFFECT",
      `The tool tried to ${describeNeed(need)}, which it had not declared (${declared}).`,
      { hint: this.#whyUndeclared(need), data: { need, declared: effects } },
    );
    onUndeclared?.(error);
    return error;
  }

  /**
   * Explains the refusal: the tool may not be at fault, because another process may have changed the path since the
   * call was judged.
   */
  #whyUndeclared(need: RequiredAccess): string {
    const again = "Look at what is there, then make the call again.";
    if (need.kind === "read" || need.kind === "write") {
      const named = joinPath(this.#options.cwd, this.#named?.get(need.path) ?? need.path);
      if (named !== need.path && this.allows({ ...need, path: named })) {
        return `${named} leads there by a link: the path changed while the call ran, or lies in a directory that was declared as a whole. ${again}`;
      }
    }
    if (need.kind === "write" && need.change !== "delete") {
      const isNew = need.change === "create";
      if (this.allows({ ...need, change: isNew ? "modify" : "create" })) {
        const found = isNew ? "Nothing is there any more" : "Something is there already";
        return `${found}: the path changed while the call ran, or the tool has to declare that it may ${need.change} it. ${again}`;
      }
    }
    return "This is a fault of the tool: its effects must list all that a call touches.";
  }

  /** Refuses a path that a rule excludes from what the grant covers. */
  requireUnexcluded(need: { readonly kind: "read" | "write"; readonly path: string }): void {
    const rule = this.exclusion(need.path, need.kind);
    if (rule === undefined) return;
    throw new ToolError("PERMISSION_DENIED", `The rule ${rule} denies access to ${need.path}.`, {
      hint: "Leave it out, or ask the user to change the rule.",
      data: { path: need.path, rule },
    });
  }

  #leadsToWrite(path: string, creates: boolean): boolean {
    const { grant } = this.#options;
    if (grant === "read-only") return false;
    return grant.effects.some(
      (effect) =>
        effect.kind === "write" &&
        isWithin(path, effect.path) &&
        (!creates || effect.change === "create" || effect.change === "any"),
    );
  }
}
