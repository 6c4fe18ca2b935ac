import { existsSync } from "node:fs";
import path from "node:path";
import { command } from "./command-program.ts";

/** A place where haft has to work, or to say why it does not. */
export interface Environment {
  readonly name: string;
  readonly because: string;
  /** Words before the program to get there; undefined where this machine cannot get there. */
  readonly prefix: (place: Place) => readonly string[] | undefined;
  /** The workspace is one of these. */
  readonly workspace?: "worktree" | "other file system";
  readonly uid?: number;
  /** Something else holds programs as well, so that less happens than the kit can promise. */
  readonly isHeldBesides?: boolean;
  readonly expected: Expected;
}

interface Place {
  readonly base: string;
  readonly workspace: string;
}

interface Expected {
  readonly provider: "bwrap" | "landlock" | "unshare" | "none";
  /** Whether all changes of a command can be undone. */
  readonly undo: "full" | "partial";
  /** Lines that doctor prints about drivers that do not work, and what would help. */
  readonly doctor: readonly RegExp[];
}

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const setpriv = "/usr/bin/setpriv";
const unshare = "/usr/bin/unshare";
const bwrap = "/usr/bin/bwrap";

const koffi = path.join(import.meta.dirname, "../../node_modules/koffi");

function ordinary(): readonly string[] | undefined {
  if (!isRoot || !existsSync(setpriv)) return undefined;
  return [setpriv, `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
}

/** A mount namespace in which things are covered by nothing at all. */
function without(covered: {
  readonly files?: readonly string[];
  readonly folders?: readonly string[];
}) {
  return ({ base }: Place): readonly string[] | undefined => {
    if (!isRoot || !existsSync(unshare)) return undefined;
    const { files = [], folders = [] } = covered;
    const lines = [
      ...files.filter((file) => existsSync(file)).map((file) => `mount --bind /dev/null ${file}`),
      ...folders
        .filter((folder) => existsSync(folder))
        .map((folder) => `mount --bind ${base}/nothing ${folder}`),
      'exec "$@"',
    ];
    return [unshare, "--mount", "--propagation", "private", "sh", "-c", lines.join(" && "), "sh"];
  };
}

/** A container of the usual kind: an ordinary user in it, and no user namespaces. */
function container({ base }: Place): readonly string[] | undefined {
  if (!existsSync(bwrap)) return undefined;
  const own = ["--bind", base, base, "--uid", `${nobody}`, "--gid", `${nobody}`];
  return [bwrap, "--dev-bind", "/", "/", ...own, "--unshare-user", "--disable-userns", "--"];
}

const noBwrap = { files: [bwrap, "/usr/local/bin/bwrap"] };
const bwrapMissing = /bwrap: bwrap is not installed\./u;
const installs = /What would help: `apt-get install bubblewrap`/u;

export const environments: readonly Environment[] = [
  {
    name: "as it is here",
    because: "tests run as root in a container, and as a person at a desk",
    prefix: () => [],
    expected: { provider: "bwrap", undo: "full", doctor: [] },
  },
  {
    name: "an ordinary user",
    because: "nobody should need to be root",
    prefix: ordinary,
    uid: nobody,
    isHeldBesides: true,
    expected: { provider: "bwrap", undo: "full", doctor: [] },
  },
  {
    name: "without bubblewrap",
    because: "most machines have none",
    prefix: without(noBwrap),
    expected: { provider: "landlock", undo: "full", doctor: [bwrapMissing, installs] },
  },
  {
    name: "an ordinary user without bubblewrap",
    because: "most people on most machines",
    prefix: (place) => {
      const [before, after] = [without(noBwrap)(place), ordinary()];
      return before === undefined || after === undefined ? undefined : [...before, ...after];
    },
    uid: nobody,
    isHeldBesides: true,
    expected: { provider: "landlock", undo: "full", doctor: [bwrapMissing, installs] },
  },
  {
    name: "without koffi",
    because: "it is optional",
    prefix: without({ folders: [koffi] }),
    expected: {
      provider: "bwrap",
      undo: "full",
      doctor: [/landlock: koffi is not installed\./u, /`npm install koffi`/u],
    },
  },
  {
    name: "without bubblewrap and koffi",
    because: "a fresh machine and the smallest installation",
    prefix: without({ ...noBwrap, folders: [koffi] }),
    expected: {
      provider: "unshare",
      undo: "full",
      doctor: [
        bwrapMissing,
        /landlock: koffi is not installed\./u,
        installs,
        /`npm install koffi`/u,
      ],
    },
  },
  {
    name: "without user namespaces",
    because: "containers and some distributions switch them off",
    prefix: container,
    expected: {
      provider: "landlock",
      undo: "partial",
      // The user of this container is root outside of it, and so owns the programs of the system.
      doctor: [
        /bwrap: \/usr\/bin\/bwrap can be replaced by others than root, so it is not used\./u,
        /no overlay: .*\/usr\/bin\/mount can be replaced/u,
      ],
    },
  },
  {
    name: "in a worktree of git",
    because: "its repository lies elsewhere",
    prefix: () => [],
    workspace: "worktree",
    expected: { provider: "bwrap", undo: "full", doctor: [] },
  },
  {
    name: "with the workspace on another file system",
    because: "nothing can be moved there in one step from where other things are",
    prefix: () => [],
    workspace: "other file system",
    expected: { provider: "bwrap", undo: "full", doctor: [] },
  },
  {
    name: "nested in itself",
    because: "an agent may run agents",
    prefix: ({ workspace, base }) => [
      ...command,
      "sandbox",
      "-C",
      workspace,
      "--data-dir",
      `${base}/outer`,
      "--no-settings",
      "--",
    ],
    isHeldBesides: true,
    expected: {
      provider: "landlock",
      undo: "partial",
      doctor: [/bwrap: It does not start here/u, /no overlay: /u],
    },
  },
];
