/** Path that exists, with its kind: a mask depends on it. */
export interface ExistingPath {
  /** Canonical path. */
  readonly path: string;
  /** Kind of what is there. */
  readonly kind: "file" | "directory";
}

/**
 * Protected name that no mount can protect: it does not exist, or it is a link. It is checked after the program has
 * ended.
 */
export interface WatchedPath {
  /** Canonical path of the name. */
  readonly path: string;
  /** Target of the link; absent if nothing existed. */
  readonly link?: string;
}

/** Network of a confined command. */
export type SandboxNetwork =
  | { readonly kind: "none" }
  | { readonly kind: "open" }
  /** Host names; a leading `*.` matches every name below, a trailing `:port` allows one port only. */
  | { readonly kind: "hosts"; readonly hosts: readonly string[] };

/** Limits of a confined command; one that is absent is not set. */
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
  /** Directory of the workspace. */
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
  /** Trees that were searched for protected paths and repositories. */
  readonly searched: readonly string[];
  /** Protected paths and repositories that were found there. */
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
  /** Protected names to check after the program has ended. */
  readonly watched: readonly WatchedPath[];
  /** Private directory for temporary files; `TMPDIR` names it. */
  readonly temporary: string;
  /** Complete environment of the command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Network that the command may use. */
  readonly network: SandboxNetwork;
  /** Limits of its processes. */
  readonly limits: SandboxLimits;
  /**
   * Fate of processes that a command leaves behind: they end with it, or continue confined until the host ends them.
   */
  readonly leftovers: "ended" | "kept";
}
