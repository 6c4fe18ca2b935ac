/** A path that is there, with what is there: a mask needs to know. */
export interface ExistingPath {
  readonly path: string;
  readonly kind: "file" | "directory";
}

/** A protected name that no mount can hold: it is not there, or it is a link. What becomes of it is looked at afterwards. */
export interface WatchedPath {
  readonly path: string;
  /** Where the link led; absent when there was nothing. */
  readonly link?: string;
}

export type SandboxNetwork =
  | { readonly kind: "none" }
  | { readonly kind: "open" }
  /** Host names, `*.` in front for every name below, `:port` behind for one port. */
  | { readonly kind: "hosts"; readonly hosts: readonly string[] };

export interface SandboxLimits {
  /** Processes and threads at once. */
  readonly processes?: number;
  /** Bytes of one file. */
  readonly fileBytes?: number;
  /** Bytes of address space of one process. */
  readonly memoryBytes?: number;
}

/** What a confined command may do. Every path is canonical and exists, but for the watched ones. JSON-compatible. */
export interface SandboxPolicy {
  readonly workspace: string;
  /** Trees that can be read; `/` alone when nothing but the hidden paths is kept back. */
  readonly readable: readonly string[];
  /** Trees and files that can be written, outermost first. */
  readonly writable: readonly ExistingPath[];
  /** Directories above protected paths, whose names stay where they are. */
  readonly pinned: readonly string[];
  /** Read-only inside what is writable. */
  readonly protected: readonly ExistingPath[];
  /** What takes the place of both on an overlay, where changes to the others are asked about before they count. */
  readonly onOverlay?: {
    readonly pinned: readonly string[];
    readonly protected: readonly ExistingPath[];
  };
  /** Trees that were searched for protected paths and repositories, and what was found. */
  readonly searched: readonly string[];
  readonly known: readonly string[];
  /** Not all of them was searched. */
  readonly isSearchedInPart: boolean;
  /** Settings have opened secrets. */
  readonly hasOpenSecrets: boolean;
  /** Secrets: neither read nor written. */
  readonly hidden: readonly ExistingPath[];
  /** Opened by a person: written whatever is said above. */
  readonly granted: readonly ExistingPath[];
  /** Of what is hidden, what can be read all the same. */
  readonly revealed: readonly ExistingPath[];
  readonly watched: readonly WatchedPath[];
  /** A private directory for temporary files; `TMPDIR` names it. */
  readonly temporary: string;
  /** Everything the command sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly network: SandboxNetwork;
  readonly limits: SandboxLimits;
  /** What becomes of processes a command leaves behind: they end with it, or go on confined until the host ends them. */
  readonly leftovers: "ended" | "kept";
}
