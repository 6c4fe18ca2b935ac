import { fileURLToPath } from "node:url";
import { isWithin, joinPath, parentPath, type SecretPlaces } from "../../text/index.ts";
import { protectedPaths, ToolError } from "../../core/index.ts";
import { kindAt, linkText, resolved } from "./existing-path.ts";
import { foundIn, gitDirectories, namedBySettings, runnable } from "./git-directories.ts";
import type {
  ExistingPath,
  SandboxLimits,
  SandboxNetwork,
  SandboxPolicy,
  WatchedPath,
} from "./policy.ts";
import { heldParts, protectedTree } from "./protected-tree.ts";
import { secretsOf, secretsThere } from "./secret-tree.ts";

/** Variables that programs need and that normally hold no secret; a trailing `*` matches a family. */
const allowedVariables: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "LC_*",
  "TERM",
  "COLORTERM",
  "TZ",
  "COLUMNS",
  "LINES",
  "NO_COLOR",
  "FORCE_COLOR",
  "CI",
  "PAGER",
  "EDITOR",
  "NODE_ENV",
];

export interface SandboxPolicyOptions {
  /** Directory that the user named, never the model. */
  readonly workspace: string;
  readonly home: string;
  /** Private directory of this session, which must exist. */
  readonly temporary: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Variables that are passed on; a trailing `*` matches a family. Default: the common ones. */
  readonly allowVariables?: readonly string[];
  /** More writable trees. Protected names apply in them as well. */
  readonly writable?: readonly string[];
  /** Paths the user opened on purpose: writable even if they are protected or hidden. */
  readonly granted?: readonly string[];
  /** More writable trees that contain downloads or build output, and are not searched for protected paths. */
  readonly caches?: readonly string[];
  /** Names below each writable tree, instead of the table of protected paths. Those of git always apply. */
  readonly protect?: readonly string[];
  /** More paths that must not be changed. */
  readonly keep?: readonly string[];
  /** Paths of secrets. Default: those of the table, for this user. */
  readonly secrets?: SecretPlaces;
  /** More secrets, as paths. */
  readonly hide?: readonly string[];
  /** Secrets, or parts of them, that can be read under this policy. */
  readonly reveal?: readonly string[];
  /** Trees that can be read in addition to the system's. Default: everything that is not hidden. */
  readonly readable?: readonly string[];
  readonly network?: SandboxNetwork;
  readonly limits?: SandboxLimits;
  /** Fate of processes that a command leaves behind. Default "ended". */
  readonly leftovers?: "ended" | "kept";
}

/** Paths of the table that have a fixed name; those of a repository have rules of their own. */
const protectedNames = protectedPaths.filter((name) => !/[*]|^\.git$/u.test(name));

/** Trees that programs need to start at all, if reading is restricted. */
const systemTrees = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix"];

/**
 * Creates the policy of a workspace as it is now: links resolved, masks only for paths that exist, the real git
 * directory of a worktree. Rejects with PERMISSION_DENIED if the workspace itself is secret. Cheap enough to be created
 * for every command, which it should be: a path that has appeared since is then protected.
 */
export async function sandboxPolicy(options: SandboxPolicyOptions): Promise<SandboxPolicy> {
  const workspace = existing(options.workspace, "workspace");
  const temporary = existing(options.temporary, "temporary directory");
  const places =
    options.secrets ?? (await secretsOf({ home: options.home, workspace: workspace.path }));
  const settings = [".gitconfig", ".config/git/config"].map((name) => joinPath(options.home, name));
  const granted = allResolved(options.granted);
  const secrets = allResolved(await secretsThere(places));
  const denied = allResolved(options.hide);
  const git = await gitDirectories(workspace.path);
  const ofSettings = await namedBySettings(settings, {
    worktree: workspace.path,
    home: options.home,
  });
  const isGranted = (path: string) => granted.some((grant) => isWithin(grant.path, path));
  const hidden = outermost([...secrets, ...denied]).filter(({ path }) => !isGranted(path));
  refuseSecret(workspace.path, hidden);

  const revealed = allResolved(options.reveal);
  const isOpen = ({ path }: ExistingPath) => !hidden.some((secret) => isWithin(secret.path, path));
  const allowed = allResolved([...(options.writable ?? []), ...git.writable]).filter(isOpen);
  const caches = allResolved(options.caches).filter(isOpen);
  const writable = outermost([workspace, temporary, ...allowed, ...caches]);
  const trees = outermost([workspace, ...allowed]).filter(({ kind }) => kind === "directory");
  const named = options.protect ?? protectedNames;
  const searched = options.protect === undefined ? trees.map(({ path }) => path) : [];
  const search = await searchTrees(searched, workspace.path);
  const always = [...git.protected, ...ownCode(), ...(options.keep ?? [])];
  const atRoot = trees.flatMap(({ path }) => named.map((name) => joinPath(path, name)));
  const isTop = (path: string) =>
    searched.some((tree) => atRoot.includes(path) || parentPath(path) === tree);
  const below = [
    ...git.found,
    ...ofSettings,
    ...search.git,
    ...search.held.filter((path) => !isTop(path)),
  ];
  // A hidden path is not writable either, so it needs no protection.
  const isHeld = (path: string) =>
    !isGranted(path) && !hidden.some((secret) => isWithin(secret.path, path));
  const staged = guard(
    [...always, ...missingOf(atRoot, search.found), ...search.held.filter(isTop)].filter(isHeld),
    writable,
  );
  const nested = guard(below.filter(isHeld), writable);
  const kept = [...staged.kept, ...nested.kept];

  return {
    workspace: workspace.path,
    readable: readableTrees(options.readable, workspace.path),
    writable,
    pinned: pins([...kept, ...hidden], writable),
    protected: outermost(kept),
    ...(nested.kept.length === 0
      ? {}
      : {
          onOverlay: {
            pinned: pins([...staged.kept, ...hidden], writable),
            protected: outermost(staged.kept),
          },
        }),
    searched,
    known: [...search.found, ...search.repositories],
    isSearchedInPart: search.isPartial,
    hasOpenSecrets: places.hasOpenSecrets,
    hidden,
    granted,
    revealed: revealed.filter(
      ({ path }) =>
        hidden.some((secret) => isWithin(secret.path, path)) &&
        // A path that a rule denies is not revealed with the secret directory around it.
        !denied.some((each) => isWithin(path, each.path) || isWithin(each.path, path)),
    ),
    watched: [...staged.watched, ...nested.watched],
    temporary: temporary.path,
    environment: environmentOf(options, temporary.path),
    network: options.network ?? { kind: "none" },
    limits: options.limits ?? {},
    leftovers: options.leftovers ?? "ended",
  };
}

/** Returns protected paths that were created, and links that were changed, since the policy was made. */
export async function protectedPathsChangedSince(
  policy: SandboxPolicy,
): Promise<readonly string[]> {
  const protectedWrites = policy.watched
    .filter(({ path, link }) => {
      const kind = kindAt(path);
      if (link === undefined) return kind !== undefined;
      return kind !== "link" || linkText(path) !== link;
    })
    .map(({ path }) => path);
  const { found, repositories } = await searchTrees(policy.searched, policy.workspace);
  const known = new Set(policy.known);
  const more = [...found, ...repositories].filter((path) => !known.has(path));
  return [...new Set([...protectedWrites, ...more])];
}

interface Searched {
  /** Protected paths that exist, and the parts of them that are mounted read-only. */
  readonly found: readonly string[];
  readonly held: readonly string[];
  /** Repositories in the trees, and the paths that git runs programs from in them. */
  readonly repositories: readonly string[];
  readonly git: readonly string[];
  readonly isPartial: boolean;
}

async function searchTrees(trees: readonly string[], workspace: string): Promise<Searched> {
  const found: string[] = [];
  const held: string[] = [];
  const repositories: string[] = [];
  const git: string[] = [];
  let isPartial = false;
  for (const root of trees) {
    const tree = await protectedTree(root);
    isPartial ||= tree.isPartial;
    found.push(...tree.found);
    held.push(...tree.found.flatMap((path) => heldParts(path, root)));
    for (const path of tree.repositories) {
      if (path === joinPath(workspace, ".git")) continue;
      repositories.push(path);
      // The `.git` file of a worktree or a submodule names its repository.
      if (kindAt(path) !== "directory") git.push(path);
      else git.push(...(await runnable(path)), ...(await foundIn(path, parentPath(path))));
    }
  }
  return { found, held, repositories, git, isPartial };
}

/** Returns names that were not found: they are checked after the program has ended. */
function missingOf(names: readonly string[], found: readonly string[]): readonly string[] {
  const there = new Set(found);
  return names.filter((name) => !there.has(name));
}

/**
 * Returns the package directory of this code, which a confined program could rewrite if it is installed in the
 * workspace.
 */
function ownCode(): readonly string[] {
  const [, owner] = /^(.*\/node_modules\/[^/]+)\//u.exec(fileURLToPath(import.meta.url)) ?? [];
  return owner === undefined ? [] : [owner];
}

function existing(path: string, what: string): ExistingPath {
  const found = resolved(path);
  if (found?.kind === "directory") return found;
  throw new ToolError("NOT_FOUND", `The ${what} ${path} is not a directory.`, {
    hint: "Name a directory that exists.",
  });
}

function allResolved(paths: readonly string[] = []): readonly ExistingPath[] {
  return paths.map(resolved).filter((entry) => entry !== undefined);
}

function refuseSecret(workspace: string, hidden: readonly ExistingPath[]): void {
  const secret = hidden.find(({ path }) => isWithin(path, workspace));
  if (secret === undefined) return;
  throw new ToolError(
    "PERMISSION_DENIED",
    `The workspace ${workspace} lies in ${secret.path}, which holds secrets.`,
    { hint: "Work in another directory, or grant this one by name.", data: { path: secret.path } },
  );
}

/** Removes paths that are inside another one. */
function outermost(paths: readonly ExistingPath[]): readonly ExistingPath[] {
  const sorted = paths.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const kept: ExistingPath[] = [];
  for (const entry of sorted) {
    if (!kept.some(({ path }) => isWithin(path, entry.path))) kept.push(entry);
  }
  return kept;
}

/**
 * Splits paths by protection: a mount can protect an existing path that is not a link. A link is watched, and its
 * target is protected as well if it could be written.
 */
function guard(
  paths: readonly string[],
  writable: readonly ExistingPath[],
): { kept: readonly ExistingPath[]; watched: readonly WatchedPath[] } {
  const kept: ExistingPath[] = [];
  const watched: WatchedPath[] = [];
  for (const path of new Set(paths)) {
    const kind = kindAt(path);
    const isWritable = writable.some((root) => isWithin(root.path, path));
    if (kind === undefined) {
      if (isWritable) watched.push({ path });
    } else {
      if (kind === "link") watched.push({ path, link: linkText(path) });
      const real = resolved(path);
      if (real !== undefined && writable.some((root) => isWithin(root.path, real.path))) {
        kept.push(real);
      }
    }
  }
  return { kept, watched };
}

/**
 * Returns the directories above the paths, so that each becomes a mount point: a mount point cannot be renamed, but its
 * parent can.
 */
function pins(
  paths: readonly ExistingPath[],
  writable: readonly ExistingPath[],
): readonly string[] {
  const found = new Set<string>();
  for (const { path } of paths) {
    const root = writable.find((entry) => isWithin(entry.path, path));
    if (root === undefined) continue;
    for (
      let at = parentPath(path);
      at !== root.path && isWithin(root.path, at);
      at = parentPath(at)
    ) {
      found.add(at);
    }
  }
  return [...found].toSorted();
}

function readableTrees(
  listed: readonly string[] | undefined,
  workspace: string,
): readonly string[] {
  if (listed === undefined) return ["/"];
  const trees = allResolved([...systemTrees, ...listed, workspace]);
  return outermost(trees).map(({ path }) => path);
}

function environmentOf(
  { variables, allowVariables = allowedVariables }: SandboxPolicyOptions,
  temporary: string,
): Readonly<Record<string, string>> {
  const isAllowed = (name: string) =>
    allowVariables.some((allowed) =>
      allowed.endsWith("*") ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
    );
  const kept = Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    value !== undefined && isAllowed(name) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(kept), TMPDIR: temporary, TMP: temporary, TEMP: temporary };
}
