/** Path that exists, with its kind: a mask depends on it. */
export interface ExistingPath {
  readonly path: string;
  readonly kind: "file" | "directory";
}

/**
 * Protected name that no mount can protect: it does not exist, or it is a link. It is checked after the program has
 * ended.
 */
export interface WatchedPath {
  readonly path: string;
  /** Target of the link; absent if nothing existed. */
  readonly link?: string;
}

export type SandboxNetwork =
  | { readonly kind: "none" }
  | { readonly kind: "open" }
  /** Host names; a leading `*.` matches every name below, a trailing `:port` allows one port only. */
  | { readonly kind: "hosts"; readonly hosts: readonly string[] };

export interface SandboxLimits {
  /** Maximum number of processes and threads at once. */
  readonly processes?: number;
  /** Maximum bytes of one file. */
  readonly fileBytes?: number;
  /** Maximum bytes of address space of one process. */
  readonly memoryBytes?: number;
}

/**
 * Permissions of a confined command. Every path is canonical and exists, except for the watched ones. JSON-compatible.
 */
export interface SandboxPolicy {
  readonly workspace: string;
  /** Trees that can be read; only `/` if nothing but the hidden paths is excluded. */
  readonly readable: readonly string[];
  /** Trees and files that can be written, outermost first. */
  readonly writable: readonly ExistingPath[];
  /** Directories above protected paths; they cannot be renamed. */
  readonly pinned: readonly string[];
  /** Read-only paths inside the writable ones. */
  readonly protected: readonly ExistingPath[];
  /**
   * Replaces `pinned` and `protected` on an overlay, where changes to the other paths need approval before they are
   * applied.
   */
  readonly onOverlay?: {
    readonly pinned: readonly string[];
    readonly protected: readonly ExistingPath[];
  };
  /** Trees that were searched for protected paths and repositories, and the paths found. */
  readonly searched: readonly string[];
  readonly known: readonly string[];
  /** Whether only a part of them was searched. */
  readonly isSearchedInPart: boolean;
  /** Whether settings make secrets readable. */
  readonly hasOpenSecrets: boolean;
  /** Secrets: neither readable nor writable. */
  readonly hidden: readonly ExistingPath[];
  /** Paths that the user opened: writable whatever the other fields say. */
  readonly granted: readonly ExistingPath[];
  /** Hidden paths that can be read anyway. */
  readonly revealed: readonly ExistingPath[];
  readonly watched: readonly WatchedPath[];
  /** Private directory for temporary files; `TMPDIR` names it. */
  readonly temporary: string;
  /** Complete environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
  readonly network: SandboxNetwork;
  readonly limits: SandboxLimits;
  /**
   * Fate of processes that a command leaves behind: they end with it, or continue confined until the host ends them.
   */
  readonly leftovers: "ended" | "kept";
}
