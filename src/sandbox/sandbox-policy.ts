import { fileURLToPath } from "node:url";
import { isWithin, joinPath, parentPath, ToolError } from "../core/index.ts";
import { kindAt, resolved } from "./existing-path.ts";
import { gitDirectories, linkText } from "./git-directories.ts";
import type {
  ExistingPath,
  SandboxLimits,
  SandboxNetwork,
  SandboxPolicy,
  WatchedPath,
} from "./policy.ts";
import { allowedVariables, protectedNames, secretNames } from "./secret-paths.ts";

export interface SandboxPolicyOptions {
  /** What the person named, never the model. */
  readonly workspace: string;
  readonly home: string;
  /** Private to this session, and there already. */
  readonly temporary: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Which of the variables are passed on; `*` at the end stands for a family. Default: the everyday ones. */
  readonly allowVariables?: readonly string[];
  /** More trees to write. Protected names hold in them as well. */
  readonly writable?: readonly string[];
  /** Paths a person opened on purpose: written even where they are protected or hidden. */
  readonly granted?: readonly string[];
  /** Names below each writable tree, in place of the usual ones. Those of git always hold. */
  readonly protect?: readonly string[];
  /** More paths that stay as they are. */
  readonly keep?: readonly string[];
  /** More secrets, as paths. */
  readonly hide?: readonly string[];
  /** Secrets, or parts of them, that can be read this time. */
  readonly reveal?: readonly string[];
  /** Only these trees and the system's own can be read. Default: everything that is not hidden. */
  readonly readable?: readonly string[];
  readonly network?: SandboxNetwork;
  readonly limits?: SandboxLimits;
  /** Default "ended". */
  readonly leftovers?: "ended" | "kept";
}

/** What programs need to start at all, where reading is narrowed. */
const systemTrees = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix"];

/**
 * The policy of a workspace as it is now: links resolved, only masks for what exists, the real git directory of
 * a worktree. Fails with PERMISSION_DENIED where the workspace is a secret itself. Cheap enough to be made anew for
 * every command, which it should be: a path that has appeared since is protected then.
 */
export async function sandboxPolicy(options: SandboxPolicyOptions): Promise<SandboxPolicy> {
  const workspace = await existing(options.workspace, "workspace");
  const temporary = await existing(options.temporary, "temporary directory");
  const granted = await allResolved(options.granted ?? []);
  const isGranted = (path: string) => granted.some((grant) => isWithin(grant.path, path));

  const secrets = [
    ...secretNames.map((name) => joinPath(options.home, name)),
    ...(options.hide ?? []),
  ];
  const hidden = outermost(await allResolved(secrets)).filter(({ path }) => !isGranted(path));
  refuseSecret(workspace.path, hidden);

  const git = await gitDirectories(workspace.path);
  const extra = await allResolved([...(options.writable ?? []), ...git.writable]);
  const allowed = extra.filter(({ path }) => !hidden.some((secret) => isWithin(secret.path, path)));
  const writable = outermost([workspace, temporary, ...allowed]);
  const names = options.protect ?? protectedNames;
  const trees = outermost([workspace, ...allowed]).filter(({ kind }) => kind === "directory");
  const guarded = [
    ...git.protected,
    ...ownCode(),
    ...trees.flatMap(({ path }) => names.map((name) => joinPath(path, name))),
    ...(options.keep ?? []),
  ];
  const { kept, watched } = await guard(
    guarded.filter((path) => !isGranted(path)),
    writable,
  );

  return {
    workspace: workspace.path,
    readable: await readableTrees(options.readable, workspace.path),
    writable,
    pinned: pins([...kept, ...hidden], writable),
    protected: outermost(kept),
    hidden,
    granted,
    revealed: (await allResolved(options.reveal ?? [])).filter(({ path }) =>
      hidden.some((secret) => isWithin(secret.path, path)),
    ),
    watched,
    temporary: temporary.path,
    environment: environmentOf(options, temporary.path),
    network: options.network ?? { kind: "none" },
    limits: options.limits ?? {},
    leftovers: options.leftovers ?? "ended",
  };
}

/** Protected names that came into being, or links that were turned, since the policy was made. */
export async function plantedSince(policy: SandboxPolicy): Promise<readonly string[]> {
  const planted = await Promise.all(
    policy.watched.map(async ({ path, link }) => {
      const kind = await kindAt(path);
      if (link === undefined) return kind === undefined ? [] : [path];
      return kind === "link" && (await linkText(path)) === link ? [] : [path];
    }),
  );
  return planted.flat();
}

/** Installed in the workspace, this very code could be rewritten by what it confines. */
function ownCode(): readonly string[] {
  const [, owner] = /^(.*\/node_modules\/[^/]+)\//u.exec(fileURLToPath(import.meta.url)) ?? [];
  return owner === undefined ? [] : [owner];
}

async function existing(path: string, what: string): Promise<ExistingPath> {
  const found = await resolved(path);
  if (found?.kind === "directory") return found;
  throw new ToolError("NOT_FOUND", `The ${what} ${path} is not a directory.`, {
    hint: "Name a directory that exists.",
  });
}

async function allResolved(paths: readonly string[]): Promise<readonly ExistingPath[]> {
  const found = await Promise.all(paths.map(resolved));
  return found.filter((entry) => entry !== undefined);
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

/** Without those that lie in another of them, by path. */
function outermost(paths: readonly ExistingPath[]): readonly ExistingPath[] {
  const sorted = paths.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const kept: ExistingPath[] = [];
  for (const entry of sorted) {
    if (!kept.some(({ path }) => isWithin(path, entry.path))) kept.push(entry);
  }
  return kept;
}

/** A mount can hold what exists and is no link. A link's target is held as well, where it could be written. */
async function guard(
  paths: readonly string[],
  writable: readonly ExistingPath[],
): Promise<{ kept: readonly ExistingPath[]; watched: readonly WatchedPath[] }> {
  const kept: ExistingPath[] = [];
  const watched: WatchedPath[] = [];
  for (const path of new Set(paths)) {
    const kind = await kindAt(path);
    if (kind === undefined) watched.push({ path });
    else {
      if (kind === "link") watched.push({ path, link: await linkText(path) });
      const real = await resolved(path);
      if (real !== undefined && writable.some((root) => isWithin(root.path, real.path))) {
        kept.push(real);
      }
    }
  }
  return { kept, watched };
}

/** A mount point cannot be renamed but its parent can, so every directory down to it becomes one. */
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

async function readableTrees(
  listed: readonly string[] | undefined,
  workspace: string,
): Promise<readonly string[]> {
  if (listed === undefined) return ["/"];
  const trees = await allResolved([...systemTrees, ...listed, workspace]);
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
