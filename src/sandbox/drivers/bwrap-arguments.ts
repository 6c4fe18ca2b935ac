import { isWithin } from "../../text/index.ts";
import type { ExistingPath, SandboxPolicy } from "../policy/policy.ts";

/** Facts outside a policy that determine its mounts. */
export interface RootLinks {
  /** Links in the root directory, such as `/bin`, with their targets; needed if reading is restricted. */
  readonly links: readonly { readonly path: string; readonly text: string }[];
  /** Files that must stay visible below a masked directory. */
  readonly kept: readonly string[];
}

const namespaces = [
  "--new-session",
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
];
const withoutPrivileges = ["--disable-userns", "--cap-drop", "ALL"];
/**
 * `/proc` is read-only as a whole: root owns the kernel's settings in it and may write them without any capability, and
 * one of them names a program that runs outside. The sockets of system services are below `/run`.
 */
const ownPlaces = ["--dev", "/dev", "--proc", "/proc", "--remount-ro", "/proc", "--tmpfs", "/run"];

/**
 * Returns the options with which bubblewrap enforces a policy. A later mount overrides an earlier one, so they go from
 * the whole to the exceptions. For root there is no user namespace unless it is requested, and without one and with
 * capabilities a single call makes a read-only mount writable again.
 */
export function bwrapArguments(policy: SandboxPolicy, root: RootLinks): readonly string[] {
  // Below `/run` only what is opened in it is visible anyway.
  const hidden = policy.hidden.filter(
    ({ path }) => !isWithin("/run", path) || isIn(policy.writable, path),
  );
  return [
    ...(policy.leftovers === "ended" ? ["--die-with-parent"] : []),
    ...namespaces,
    ...(policy.network.kind === "open" ? [] : ["--unshare-net"]),
    ...withoutPrivileges,
    ...readable(policy, root),
    ...ownPlaces,
    ...root.kept.flatMap((path) => ["--ro-bind", path, path]),
    ...policy.writable.flatMap(({ path }) => ["--bind", path, path]),
    ...inside(policy),
    ...hidden.flatMap(hide),
    ...policy.revealed.flatMap(({ path }) => ["--ro-bind", path, path]),
    ...reopened(policy).flatMap(({ path }) => ["--bind", path, path]),
    // Last, because the mounts above need their mount points created. A write into a mask then fails instead of
    // vanishing.
    ...hidden.flatMap(({ path, kind }) => (kind === "directory" ? ["--remount-ro", path] : [])),
    // Where only some trees are visible, the directories around them are an empty file system of the sandbox's own.
    ...(policy.readable.includes("/") ? [] : ["--remount-ro", "/"]),
    "--clearenv",
    ...Object.entries(policy.environment).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

function readable({ readable: trees }: SandboxPolicy, { links }: RootLinks): readonly string[] {
  return [
    ...trees.flatMap((path) => ["--ro-bind", path, path]),
    ...links.flatMap(({ path, text }) => ["--symlink", text, path]),
  ];
}

/** Returns outer paths first: a deeper path is an exception to the one around it. */
function inside({ pinned, protected: guarded }: SandboxPolicy): readonly string[] {
  return [
    ...pinned.map((path) => ({ path, option: "--bind" })),
    ...guarded.map(({ path }) => ({ path, option: "--ro-bind" })),
  ]
    .toSorted((left, right) => depth(left.path) - depth(right.path))
    .flatMap(({ path, option }) => [option, path, path]);
}

function hide({ path, kind }: ExistingPath): readonly string[] {
  return kind === "directory" ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

/** Returns paths that are writable although they are inside a masked or read-only one. */
function reopened(policy: SandboxPolicy): readonly { path: string }[] {
  const { temporary, hidden, protected: guarded, writable, granted } = policy;
  const isClosed = ({ path }: { readonly path: string }): boolean =>
    isIn(hidden, path) || isIn(guarded, path) || !isIn(writable, path);
  // A path that is already writable gets no mount of its own: a mount point can be written but not replaced. A policy
  // that opens nothing has no use for it.
  const own = writable.length === 0 ? [] : [{ path: temporary }];
  return [...own, ...granted].filter(isClosed);
}

function isIn(trees: readonly ExistingPath[], path: string): boolean {
  return trees.some((tree) => isWithin(tree.path, path));
}

function depth(path: string): number {
  return path.split("/").length;
}
