import { ToolError, type AgentWorktree, type Host } from "../../core/index.ts";
import { isWithin, joinPath, pathBelow, pathExists } from "../../text/index.ts";
import { gitOn, gitOutput, withoutOwnFilters, type Git } from "./run-git.ts";

export interface WorktreeOptions {
  readonly host: Host;
  /** Workspace of the agent that starts this one. */
  readonly workspace: string;
  readonly agentId: string;
  readonly branchName: string | undefined;
  /** Worktree of an agent that continues. */
  readonly before: AgentWorktree | undefined;
  /** Called with the worktree before anything of it is created. */
  readonly onPlan: (planned: AgentWorktree) => Promise<void>;
  readonly newId: (prefix: string) => string;
  readonly signal: AbortSignal;
}

export interface OpenedWorktree {
  readonly worktree: AgentWorktree;
  /** Directory in it that corresponds to the workspace. */
  readonly workspace: string;
  /**
   * Hands the commits over to the repository, under the agent's branch. A worktree without changes is removed.
   */
  close(): Promise<AgentWorktree>;
}

/** Directory of the worktrees in the user's home: not in a workspace, and no secret. */
const directoryName = ".haft-worktrees";

/**
 * Creates a checkout for one agent. It is a repository of its own that only reads the objects of the other one, so that
 * nothing the agent or its programs write can reach the other's files, index, branches or settings. Its commits come
 * back when the agent ends.
 */
export async function openWorktree(options: WorktreeOptions): Promise<OpenedWorktree> {
  const { host, workspace, newId } = options;
  const git = gitOn(host, newId, options.signal);
  const origin = await checkedOrigin(git, workspace);
  const below = pathBelow(origin.root, workspace) ?? "";
  const made =
    options.before?.isKept === true ? options.before : await createWorktree(git, origin, options);
  // The work is handed over even if the agent was aborted.
  const closing = gitOn(host, newId);
  return {
    worktree: made,
    workspace: below === "" ? made.path : joinPath(made.path, below),
    close: async () => await closeWorktree(closing, host, { origin: origin.root, made }),
  };
}

interface Origin {
  readonly root: string;
  readonly head: string;
  readonly objects: string;
}

async function checkedOrigin(git: Git, workspace: string): Promise<Origin> {
  const found = await git(workspace, "rev-parse", "--is-bare-repository", "--is-inside-work-tree");
  if (found.code !== 0) {
    throw refused("The workspace is not in a git repository.", "Run git init and commit first");
  }
  if (!found.out.endsWith("true")) {
    throw refused(
      "The workspace is a bare repository, which has no files.",
      "Open a checkout of it",
    );
  }
  const root = await gitOutput(git(workspace, "rev-parse", "--show-toplevel"), "No checkout");
  const head = await git(workspace, "rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  if (head.code !== 0) throw refused("The repository has no commit.", "Commit the files first");
  const status = ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules"];
  const filters = await withoutOwnFilters(git, root);
  const changed = await gitOutput(
    git(root, ...filters, ...status),
    "The state of the repository is unknown",
  );
  if (changed !== "") {
    const count = changed.split("\n").length;
    throw refused(
      `${count} changed file${count === 1 ? " is" : "s are"} not committed, and the agent would not see the changes.`,
      "Commit or stash them first",
    );
  }
  const words = ["rev-parse", "--path-format=absolute", "--git-path", "objects"];
  const objects = await gitOutput(git(root, ...words), "The objects cannot be found");
  return { root, head: head.out, objects };
}

async function createWorktree(
  git: Git,
  { root, head, objects }: Origin,
  { host, agentId, branchName, before, onPlan }: WorktreeOptions,
): Promise<AgentWorktree> {
  const branch = branchName ?? before?.branch ?? `haft/${agentId}`;
  const path = joinPath(joinPath(host.info.home, directoryName), agentId);
  if (isWithin(root, path)) {
    throw refused("A worktree would be inside the repository.", "Use a workspace below your home");
  }
  const valid = await git(root, "check-ref-format", "--branch", branch);
  if (valid.code !== 0 || branch.startsWith("-")) {
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(branch)} is not a name of a branch.`, {
      hint: "Omit branch_name, or use letters, digits, - and /.",
    });
  }
  if (before?.branch === branch) await removePart(git, host, { root, before });
  const made = { path, branch, base: head, commits: 0, changedFiles: 0, isKept: true };
  await onPlan({ ...made, isKept: false });
  // The directory is there before the branch, so that an interruption in between is noticed.
  await host.fs.mkdir(path, { mode: 0o700 });
  // Creates the branch only if it does not exist: it reserves the name and keeps the first commit.
  const reserved = await git(
    root,
    "update-ref",
    `refs/heads/${branch}`,
    head,
    "0".repeat(head.length),
  );
  if (reserved.code !== 0) {
    await host.fs.remove(path, { recursive: true });
    throw new ToolError("ALREADY_EXISTS", `The branch ${branch} cannot be created: it exists.`, {
      hint: "Use another branch_name, or omit it.",
    });
  }
  try {
    const format = `--object-format=${head.length > 40 ? "sha256" : "sha1"}`;
    await gitOutput(git(path, "init", "--quiet", "--template=", format), "No worktree");
    const alternates = `${path}/.git/objects/info/alternates`;
    await host.fs.mkdir(`${path}/.git/objects/info`);
    await host.fs.writeAtomic(alternates, new TextEncoder().encode(`${objects}\n`));
    await writeConfig(git, host, { root, path });
    await gitOutput(git(path, "checkout", "--quiet", "-b", branch, head), "No checkout");
  } catch (error) {
    await git(root, "update-ref", "-d", `refs/heads/${branch}`, head);
    await host.fs.remove(path, { recursive: true }).catch(() => undefined);
    throw error;
  }
  return made;
}

/** Removes what an interruption left of a worktree that was being created; nothing has worked in it. */
async function removePart(
  git: Git,
  host: Host,
  { root, before }: { readonly root: string; readonly before: AgentWorktree },
): Promise<void> {
  const { path, branch, base } = before;
  if (!(await pathExists(host.fs, path))) return;
  await host.fs.remove(path, { recursive: true });
  await git(root, "update-ref", "-d", `refs/heads/${branch}`, base);
}

/** Writes the settings of the worktree's repository: its format, and the author of the other one. */
async function writeConfig(
  git: Git,
  host: Host,
  { root, path }: { readonly root: string; readonly path: string },
): Promise<void> {
  const values: string[] = [];
  for (const key of ["name", "email"]) {
    const { code, out } = await git(root, "config", "--get", `user.${key}`);
    if (code === 0) values.push(`\t${key} = ${JSON.stringify(out)}`);
  }
  const format = await gitOutput(git(root, "rev-parse", "--show-object-format"), "No format");
  const isOld = format === "sha1";
  const text = [
    "[core]",
    `\trepositoryformatversion = ${isOld ? 0 : 1}`,
    "\tfilemode = true",
    "\tbare = false",
    "\tlogallrefupdates = true",
    ...(isOld ? [] : ["[extensions]", `\tobjectformat = ${format}`]),
    ...(values.length === 0 ? [] : ["[user]", ...values]),
    "",
  ].join("\n");
  await host.fs.writeAtomic(`${path}/.git/config`, new TextEncoder().encode(text));
}

async function closeWorktree(
  git: Git,
  host: Host,
  { origin, made }: { readonly origin: string; readonly made: AgentWorktree },
): Promise<AgentWorktree> {
  const { path, branch, base } = made;
  const ref = `refs/heads/${branch}`;
  // Programs of the agent may have changed the settings, which can name programs; git runs only with haft's own.
  try {
    await restoreSettings(git, host, { root: origin, path });
  } catch {
    return made;
  }
  const tip = await git(path, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  // Not inside of repositories below: git would obey their settings.
  const status = await git(path, "status", "--porcelain", "--ignore-submodules=dirty");
  const counted = await git(path, "rev-list", "--count", `${base}..${ref}`);
  const commits = counted.code === 0 ? Number(counted.out) : 0;
  const changedFiles = status.out === "" ? 0 : status.out.split("\n").length;
  // A checkout that git cannot read is kept: only a checkout that is known to have no changes is removed.
  const isUnchanged = tip.out === base && status.code === 0 && changedFiles === 0;
  const mayRemove = isUnchanged && counted.code === 0 && commits === 0;
  if (mayRemove && !(await hasRepositories(git, host, path))) {
    await git(origin, "update-ref", "-d", ref, base);
    await host.fs.remove(path, { recursive: true });
    return { ...made, commits, changedFiles, isKept: false };
  }
  if (tip.code === 0) {
    const fetch = [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
    ];
    await git(origin, "-c", "fetch.fsckObjects=true", ...fetch, path, `+${ref}:${ref}`);
  }
  return { ...made, commits, changedFiles };
}

/**
 * Replaces everything in a worktree's repository from which git takes settings. Throws if its directory is no longer
 * the one that haft created, such as a link to another repository.
 */
async function restoreSettings(
  git: Git,
  host: Host,
  { root, path }: { readonly root: string; readonly path: string },
): Promise<void> {
  const directory = joinPath(path, ".git");
  const { kind } = await host.fs.stat(directory);
  if (kind !== "directory") throw new TypeError(`${directory} is a ${kind}.`);
  for (const name of ["commondir", "gitdir", "config.worktree", "config"]) {
    await removeIfPresent(host, joinPath(directory, name));
  }
  await writeConfig(git, host, { root, path });
}

async function removeIfPresent(host: Host, path: string): Promise<void> {
  try {
    await host.fs.remove(path, { recursive: true });
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
  }
}

/** Whether a worktree has submodules with files, whose changes git has not looked for. */
async function hasRepositories(git: Git, host: Host, path: string): Promise<boolean> {
  const listed = await git(path, "ls-files", "--stage", "-z");
  if (listed.code !== 0) return true;
  for (const entry of listed.out.split("\0")) {
    const name = /^160000 [^\t]*\t(.*)$/su.exec(entry)?.[1];
    if (name === undefined) continue;
    if (
      (await host.fs.stat(joinPath(joinPath(path, name), ".git")).catch(() => undefined)) !==
      undefined
    )
      return true;
  }
  return false;
}

function refused(message: string, step: string): ToolError {
  return new ToolError("UNAVAILABLE", message, {
    hint: `${step}, or start the agent without a worktree.`,
    retryable: false,
  });
}
