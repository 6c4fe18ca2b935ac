import { expect, test } from "vitest";
import type { Effect, StagedChange } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { findProtectedWrites } from "./protected-writes.ts";

const span = { start: 0, end: 0 };
const run = (argv: readonly string[], consequences: "open" | "listed" = "open"): Effect => ({
  kind: "execute",
  argv,
  assigns: [],
  via: [],
  consequences,
  span,
});
const write = (path: string, scope: "file" | "tree" = "file"): Effect => ({
  kind: "write",
  path,
  scope,
  change: "any",
});
const status = run(["git", "status"], "listed");
const python = run(["python3"]);
const git = run(["/usr/bin/git", "clone", "x"]);

function made(path: string, source = "/staged/any"): StagedChange {
  return { path, to: { kind: "file", source, size: 1, mode: 0o644, mtimeMs: 0 } };
}
const directory = (path: string): StagedChange => ({
  path,
  to: { kind: "directory", mode: 0o755 },
});
const link = (path: string): StagedChange => ({ path, to: { kind: "symlink", target: "x" } });
const removed = (path: string): StagedChange => ({ path, to: { kind: "absent" } });

interface Case {
  readonly changes: readonly StagedChange[];
  readonly effects?: readonly Effect[];
  readonly held?: readonly string[];
  readonly protectedWrites: readonly string[];
  readonly because: string;
}

const plain = "[core]\n\tbare = false\n";
const files = {
  "/ws/old/a": "x",
  "/ws/head/HEAD": "x",
  "/ws/half/HEAD": "x",
  "/ws/half/refs/a": "x",
  "/ws/whole/HEAD": "x",
  "/ws/whole/objects/a": "x",
  "/ws/whole/refs/a": "x",
  "/ws/known/.git/config": "[core]\n\tfsmonitor = x\n",
  "/staged/any": "x",
  "/staged/plain": plain,
  "/staged/known": `[core]\n\tfsmonitor = x\n[remote "o"]\n\turl = y\n`,
  "/staged/other": "[core]\n\tfsmonitor = y\n",
};

test.each<Case>([
  { changes: [made("/ws/a")], protectedWrites: [], because: "it is a file like others" },
  { changes: [made("/ws/.envrc")], protectedWrites: ["/ws/.envrc"], because: "it runs by itself" },
  {
    changes: [removed("/ws/.envrc")],
    protectedWrites: ["/ws/.envrc"],
    because: "it was there for a reason",
  },
  {
    changes: [made("/ws/d/.npmrc")],
    protectedWrites: ["/ws/d/.npmrc"],
    because: "it counts at any depth",
  },
  {
    changes: [made("/more/.envrc")],
    protectedWrites: ["/more/.envrc"],
    because: "it is a folder of theirs",
  },
  { changes: [directory("/ws/.vscode")], protectedWrites: [], because: "a folder runs nothing" },
  {
    changes: [made("/ws/.envrc"), made("/ws/.npmrc")],
    effects: [python, write("/ws/.envrc")],
    protectedWrites: ["/ws/.npmrc"],
    because: "only one of them was named",
  },
  {
    changes: [made("/ws/.vscode/tasks.json")],
    effects: [python, write("/ws/.vscode", "tree")],
    protectedWrites: [],
    because: "the folder was named",
  },
  {
    changes: [made("/ws/d/.envrc")],
    effects: [python, write("/ws/d", "tree")],
    protectedWrites: ["/ws/d/.envrc"],
    because: "what was named is not protected, so nobody has read of it",
  },
  {
    changes: [made("/ws/.git/hooks/pre-commit"), made("/ws/.git/index")],
    effects: [git, write("/ws/.git", "tree")],
    protectedWrites: ["/ws/.git/hooks/pre-commit"],
    because: "git keeps its own folder, and makes no hooks",
  },
  {
    changes: [made("/ws/.git/hooks/pre-commit")],
    effects: [python, write("/ws/.git/hooks/pre-commit")],
    protectedWrites: [],
    because: "the hook itself was named",
  },
  {
    changes: [made("/ws/.git/hooks/a.sample")],
    protectedWrites: [],
    because: "a sample is never run",
  },
  {
    changes: [made("/ws/.git/hooks/a.sample/b")],
    protectedWrites: ["/ws/.git/hooks/a.sample/b"],
    because: "it only looks like a sample",
  },
  {
    changes: [made("/ws/.git/hooks")],
    protectedWrites: ["/ws/.git/hooks"],
    because: "a link in its place leads to any hooks",
  },
  {
    changes: [made("/ws/.git/objects/aa/bb"), made("/ws/.git/refs/heads/hooks/x")],
    protectedWrites: [],
    because: "every commit writes them",
  },
  {
    changes: [made("/ws/.git/modules/a/hooks/x"), made("/ws/.git/modules/a/config")],
    protectedWrites: ["/ws/.git/modules/a/hooks/x", "/ws/.git/modules/a/config"],
    because: "a repository inside of another runs them as well",
  },
  {
    changes: [
      made("/ws/.git/worktrees/w/modules/a/config"),
      made("/ws/.git/worktrees/w/modules/a/hooks/x"),
    ],
    protectedWrites: [
      "/ws/.git/worktrees/w/modules/a/config",
      "/ws/.git/worktrees/w/modules/a/hooks/x",
    ],
    because: "a worktree has submodules of its own",
  },
  {
    changes: [link("/ws/.git/modules/a"), link("/ws/.git/info"), link("/ws/.hg/cache")],
    protectedWrites: ["/ws/.git/modules/a", "/ws/.git/info"],
    because: "a link leads to settings that have another name",
  },
  {
    changes: [made("/ws/.jj/repo"), made("/ws/.jj/working_copy/tree_state")],
    protectedWrites: ["/ws/.jj/repo"],
    because: "a file in its place says where the settings are",
  },
  {
    changes: [link("/ws/.github"), link("/ws/docs")],
    protectedWrites: ["/ws/.github"],
    because: "what is where it leads has no protected name",
  },
  {
    changes: [made("/ws/bare/HEAD"), directory("/ws/bare/objects"), directory("/ws/bare/refs")],
    protectedWrites: ["/ws/bare/HEAD", "/ws/bare/objects", "/ws/bare/refs"],
    because: "its settings may have been written before",
  },
  {
    changes: [made("/ws/head/config")],
    protectedWrites: [],
    because: "a directory with only a HEAD is not a repository",
  },
  {
    changes: [directory("/ws/half/objects")],
    protectedWrites: ["/ws/half/objects"],
    because: "it is the part that was missing",
  },
  {
    changes: [directory("/ws/a/objects"), directory("/ws/a/refs"), removed("/ws/half/HEAD")],
    protectedWrites: [],
    because: "there is no repository",
  },
  {
    changes: [made("/ws/c/HEAD"), made("/ws/c/commondir"), made("/ws/d/config")],
    protectedWrites: ["/ws/c/HEAD", "/ws/c/commondir"],
    because: "its settings are where commondir says",
  },
  {
    changes: [link("/ws/whole/hooks"), link("/ws/whole/info"), directory("/ws/whole/rebase-merge")],
    protectedWrites: ["/ws/whole/hooks", "/ws/whole/info"],
    because: "what git runs is where the link leads",
  },
  {
    changes: [
      made("/ws/whole/rebase-merge/git-rebase-todo"),
      made("/ws/whole/hooks/pre-push.sample"),
      removed("/ws/whole/hooks"),
    ],
    protectedWrites: ["/ws/whole/rebase-merge/git-rebase-todo"],
    because: "its lines start programs at the next rebase",
  },
  {
    changes: [made("/ws/whole/hooks/config/run.sh"), made("/ws/config/hooks/config/run.sh")],
    protectedWrites: ["/ws/whole/hooks/config/run.sh"],
    because: "names in a repository may be those of its parts",
  },
  {
    changes: [made("/ws/whole/rebase-merge/git-rebase-todo")],
    effects: [run(["git", "rebase", "-i", "a"])],
    protectedWrites: [],
    because: "git alone wrote it",
  },
  {
    changes: [made("/ws/tools/run.sh"), made("/ws/conf/b")],
    held: ["/ws/tools"],
    protectedWrites: ["/ws/tools/run.sh"],
    because: "a sandbox holds it on the real files",
  },
  {
    changes: [made("/ws/tools/run.sh")],
    held: ["/ws/tools"],
    effects: [git],
    protectedWrites: [],
    because: "git alone brought it",
  },
  {
    changes: [made("/ws/.git/config", "/staged/plain")],
    protectedWrites: [],
    because: "it says nothing",
  },
  {
    changes: [made("/ws/.git/config", "/staged/other")],
    protectedWrites: ["/ws/.git/config"],
    because: "it names a program",
  },
  {
    changes: [made("/ws/known/.git/config", "/staged/known")],
    protectedWrites: [],
    because: "the program was named there before",
  },
  {
    changes: [made("/ws/known/.git/config", "/staged/other")],
    protectedWrites: ["/ws/known/.git/config"],
    because: "it names another program than before",
  },
  {
    changes: [removed("/ws/known/.git/config")],
    protectedWrites: ["/ws/known/.git/config"],
    because: "without it another one may be found",
  },
  {
    changes: [made("/ws/.git/config", "/staged/gone")],
    protectedWrites: ["/ws/.git/config"],
    because: "what cannot be read may say anything",
  },
  {
    changes: [made("/ws/.git/config", "/staged/other")],
    effects: [run(["git", "config", "core.fsmonitor", "y"])],
    protectedWrites: [],
    because: "git was allowed by its name",
  },
  {
    changes: [made("/ws/.git/config", "/staged/other")],
    effects: [status, python],
    protectedWrites: ["/ws/.git/config"],
    because: "another program ran next to git, and it was not allowed to write there",
  },
  {
    changes: [made("/ws/.pnp.cjs")],
    effects: [run(["yarn", "add", "x"]), python],
    protectedWrites: ["/ws/.pnp.cjs"],
    because: "it may be the doing of the other program",
  },
  {
    changes: [made("/ws/.git/config", "/staged/other"), made("/ws/.pnp.cjs")],
    effects: [status, run(["git", "config", "core.fsmonitor", "y"])],
    protectedWrites: ["/ws/.pnp.cjs"],
    because: "nothing but git ran, which makes no such file",
  },
  {
    changes: [made("/ws/.git")],
    protectedWrites: ["/ws/.git"],
    because: "it says where git looks",
  },
  {
    changes: [
      directory("/ws/new"),
      made("/ws/new/.git/HEAD"),
      directory("/ws/new/.git"),
      made("/ws/new/.envrc"),
    ],
    effects: [git],
    protectedWrites: [],
    because: "git alone brought the repository, and was allowed to",
  },
  {
    changes: [directory("/ws/new"), directory("/ws/new/.git"), made("/ws/new/.envrc")],
    effects: [git, python],
    protectedWrites: ["/ws/new/.envrc"],
    because: "another program ran as well",
  },
  {
    changes: [directory("/ws/old"), directory("/ws/old/.git"), made("/ws/old/.envrc")],
    effects: [git],
    protectedWrites: ["/ws/old/.envrc"],
    because: "the folder was there before",
  },
  {
    changes: [directory("/ws/new"), directory("/ws/new/.git"), made("/ws/new/.git/hooks/x")],
    effects: [git],
    protectedWrites: ["/ws/new/.git/hooks/x"],
    because: "a repository does not bring hooks",
  },
  { changes: [made("/ws/.hg/dirstate")], protectedWrites: [], because: "every commit writes it" },
  {
    changes: [made("/ws/.hg/hgrc")],
    protectedWrites: ["/ws/.hg/hgrc"],
    because: "it names programs",
  },
  {
    changes: [made("/ws/.yarn/cache/a.zip"), made("/ws/.yarn/releases/yarn.cjs")],
    protectedWrites: ["/ws/.yarn/releases/yarn.cjs"],
    because: "one is what was fetched, the other is run",
  },
  {
    changes: [made("/ws/.pnp.cjs")],
    effects: [run(["yarn", "add", "x"])],
    protectedWrites: [],
    because: "yarn was allowed by its name",
  },
  {
    changes: [made("/ws/.pnp.cjs")],
    effects: [run(["yarn", "add", "x"]), status],
    protectedWrites: [],
    because: "the other program only does what it says",
  },
  {
    changes: [made("/ws/.pnp.cjs")],
    protectedWrites: ["/ws/.pnp.cjs"],
    because: "each program loads it",
  },
])(
  "$protectedWrites are asked about, because $because",
  async ({ changes, effects = [python], held = [], protectedWrites }) => {
    const { fs } = memoryHost({ files });

    const found = await findProtectedWrites(changes, {
      fs,
      effects,
      roots: ["/ws", "/more"],
      held,
    });

    expect(found).toEqual(protectedWrites);
  },
);
