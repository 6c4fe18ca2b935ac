import { expect, test } from "vitest";
import { inferRefusedActions } from "./infer-refused-actions.ts";
import type { SandboxPolicy } from "./policy/policy.ts";

const policy: SandboxPolicy = {
  workspace: "/work",
  readable: ["/"],
  writable: [
    { path: "/private", kind: "directory" },
    { path: "/work", kind: "directory" },
  ],
  pinned: ["/work/.git"],
  protected: [
    { path: "/work/.git/config", kind: "file" },
    { path: "/work/.git/hooks", kind: "directory" },
  ],
  hidden: [
    { path: "/home/me/.ssh", kind: "directory" },
    { path: "/home/me/.netrc", kind: "file" },
  ],
  granted: [{ path: "/srv/data", kind: "directory" }],
  searched: [],
  known: [],
  isSearchedInPart: false,
  hasOpenSecrets: false,
  watched: [],
  temporary: "/private",
  environment: {},
  network: { kind: "none" },
  limits: {},
  leftovers: "ended",
  revealed: [],
};

test.each([
  {
    stderr: "touch: cannot touch '/etc/x': Read-only file system",
    is: [{ kind: "write", path: "/etc/x" }],
    because: "coreutils quote the path",
  },
  {
    stderr: "fatal: cannot copy '/usr/share/x' to '/work/.git/hooks/x': Read-only file system",
    is: [{ kind: "write", path: "/work/.git/hooks/x" }],
    because: "what is copied is only read",
  },
  {
    stderr: "Error: EROFS: read-only file system, copyfile '/usr/x' -> '/etc/x'",
    is: [{ kind: "write", path: "/etc/x" }],
    because: "Node names both",
  },
  {
    stderr: "mv: cannot move '/etc/x' to '/work/x': Read-only file system",
    is: [{ kind: "write", path: "/etc/x" }],
    because: "it can be created there, and not be removed here",
  },
  {
    stderr: "sh: 1: cannot create /home/me/out.txt: Read-only file system",
    is: [{ kind: "write", path: "/home/me/out.txt" }],
    because: "a shell's redirect names it bare",
  },
  {
    stderr: "/bin/sh: 1: cannot create /etc/x: Read-only file system",
    is: [{ kind: "write", path: "/etc/x" }],
    because: "the shell that complains is not what was refused",
  },
  {
    stderr: "bash: line 1: ../other/file: Permission denied",
    is: [{ kind: "write", path: "/other/file" }],
    because: "a relative path counts from where the command ran",
  },
  {
    stderr: "error: could not lock config file .git/config: Read-only file system",
    is: [{ kind: "write", path: "/work/.git/config" }],
    because: "protected inside the workspace",
  },
  {
    stderr: "mv: cannot move '.git' to 'away': Device or resource busy",
    is: [{ kind: "write", path: "/work/.git" }],
    because: "a pinned name is busy",
  },
  {
    stderr: "Error: EROFS: read-only file system, open '/usr/lib/node_modules/x'",
    is: [{ kind: "write", path: "/usr/lib/node_modules/x" }],
    because: "how Node says it",
  },
  {
    stderr: "PermissionError: [Errno 13] Permission denied: '/etc/hosts'",
    is: [{ kind: "write", path: "/etc/hosts" }],
    because: "how Python says it",
  },
  {
    stderr: "OSError: [Errno 30] Read-only file system: '/opt/app/cache dir'",
    is: [{ kind: "write", path: "/opt/app/cache dir" }],
    because: "a quoted path may hold spaces",
  },
  {
    stderr: "cat: /home/me/.ssh/id_ed25519: No such file or directory",
    is: [{ kind: "read", path: "/home/me/.ssh/id_ed25519" }],
    because: "a masked directory is empty",
  },
  {
    stderr: "cat: /home/me/.netrc: Permission denied",
    is: [{ kind: "read", path: "/home/me/.netrc" }],
    because: "a hidden file cannot be opened",
  },
  {
    stderr: "cat: /work/missing.txt: No such file or directory",
    is: [],
    because: "that has nothing to do with the sandbox",
  },
  {
    stderr: "sh: 1: /work/script.sh: Permission denied",
    is: [],
    because: "in the workspace it is a missing mode bit",
  },
  {
    stderr: "cp: cannot create '/srv/data/x': Permission denied",
    is: [],
    because: "granted already, so another grant would change nothing",
  },
  {
    stderr: "unshare: unshare failed: Operation not permitted",
    is: [{ kind: "process" }],
    because: "the filter refused it",
  },
  {
    stderr: "bwrap: Can't find source path /work/.git/hooks: No such file or directory",
    is: [{ kind: "setup" }],
    because: "the command never ran",
  },
  {
    stderr: "bwrap: execvp nope: No such file or directory",
    is: [],
    because: "the sandbox was ready and the program is missing",
  },
  { stderr: "assertion failed: 1 !== 2", is: [], because: "it failed by itself" },
])("$stderr", ({ stderr, is }) => {
  const found = inferRefusedActions({ code: 1, stderr }, policy);

  expect(found.map(({ reason: _reason, ...what }) => what)).toEqual(is);
  for (const { reason } of found) expect(stderr).toContain(reason);
});

test("a command that succeeded was denied nothing, except for what the proxy saw", () => {
  const stderr = "warning: /etc/x: Read-only file system";
  const refusal = { host: "example.org", port: 443, reason: "not listed" };

  expect(inferRefusedActions({ code: 0, stderr }, policy)).toEqual([]);
  expect(inferRefusedActions({ code: 0, stderr, refusals: [refusal] }, policy)).toEqual([
    { kind: "connect", ...refusal },
  ]);
});

test("a process that the filter ended is reported as denied", () => {
  expect(inferRefusedActions({ code: null, signal: "SIGSYS", stderr: "" }, policy)).toMatchObject([
    { kind: "process" },
  ]);
});

test("the same refusal a thousand times is one, and many are few", () => {
  const same = "touch: cannot touch '/etc/x': Read-only file system\n".repeat(1000);
  const many = Array.from(
    { length: 1000 },
    (_, at) => `rm: cannot remove '/etc/${at}': Read-only file system`,
  );

  expect(inferRefusedActions({ code: 1, stderr: same }, policy)).toHaveLength(1);
  expect(inferRefusedActions({ code: 1, stderr: many.join("\n") }, policy)).toHaveLength(20);
});

const leads = (path: string): string => (path === "/work/alias/key" ? "/home/me/.ssh/key" : path);

test("a link to a hidden file is reported by its target", () => {
  const stderr = "cat: ./alias/key: Permission denied";

  expect(inferRefusedActions({ code: 1, stderr, leads }, policy)).toEqual([
    { kind: "read", path: "/home/me/.ssh/key", reason: stderr },
  ]);
  expect(inferRefusedActions({ code: 1, stderr }, policy)).toEqual([]);
});

test.each([
  { leadsTo: "/home/me/dotfiles/tool", is: "/home/me/dotfiles/tool", because: "it leads outside" },
  { leadsTo: "/work/tool", is: undefined, because: "what it leads to can be written" },
])("a write through a link is reported by its target: $because", ({ leadsTo, is }) => {
  const stderr = "touch: cannot touch '/home/me/.config/tool': Read-only file system";
  const actions = inferRefusedActions({ code: 1, stderr, leads: () => leadsTo }, policy);

  expect(actions).toEqual(is === undefined ? [] : [{ kind: "write", path: is, reason: stderr }]);
});

test("a command ended by the filter is recognized by its exit code as well", () => {
  expect(inferRefusedActions({ code: 159, stderr: "" }, policy)).toMatchObject([
    { kind: "process" },
  ]);
  expect(inferRefusedActions({ code: 137, signal: "SIGKILL", stderr: "" }, policy)).toEqual([]);
});

test.each([
  {
    stderr: "haft: This process cannot confine itself: Landlock.",
    is: [{ kind: "setup" }],
    because: "the wrapper of Landlock failed",
  },
  {
    stderr: "mv: cannot move '/etc/a' to '/work/b': Invalid cross-device link",
    is: [{ kind: "write", path: "/etc/a" }],
    because: "a mount of its own is another file system",
  },
  {
    stderr: "Error: EBUSY: resource busy or locked, rename '/work/.git'",
    is: [{ kind: "write", path: "/work/.git" }],
    because: "a mount point is busy",
  },
  {
    stderr: "open /work/x: the file is in use",
    is: [],
    because: "nothing was refused",
  },
  {
    stderr: "/home/me/.ssh/key: loaded",
    is: [],
    because: "a secret that is named was not refused for that",
  },
  {
    stderr: "out/x: the disk is full (see /etc/fstab)",
    is: [],
    because: "a path outside alone says nothing",
  },
  {
    stderr: "touch: /etc/x: Permission denied",
    is: [{ kind: "write", path: "/etc/x" }],
    because: "a path may stand bare",
  },
  {
    stderr: "notes: Permission denied",
    cwd: "/etc",
    is: [{ kind: "write", path: "/etc/notes" }],
    because: "a word in front of the reason is a path where the command ran",
  },
  {
    stderr: "fetch https://example.org/x: Permission denied",
    is: [],
    because: "an address is not a path",
  },
  {
    stderr: "fetch 'https://example.org/x': Permission denied",
    cwd: "/etc",
    is: [],
    because: "neither is one in quotes",
  },
  {
    stderr: "cannot copy '/work/a' to '/work/.git/hooks/x': Read-only file system",
    cwd: "/etc",
    is: [{ kind: "write", path: "/work/.git/hooks/x" }],
    because: "the words around a path are not a path",
  },
  {
    stderr: "warning '???': Permission denied",
    cwd: "/etc",
    is: [],
    because: "not every quoted word is a path",
  },
  {
    stderr: "cannot create '/work/../etc/x': Read-only file system",
    is: [{ kind: "write", path: "/etc/x" }],
    because: "it is named by where it is",
  },
])("$stderr: $because", ({ stderr, cwd, is }) => {
  const found = inferRefusedActions(
    { code: 1, stderr, ...(cwd === undefined ? {} : { cwd }) },
    policy,
  );

  expect(found.map(({ reason: _reason, ...what }) => what)).toEqual(is);
});

test("a reason is one line, without what surrounds it, and not endless", () => {
  const line = `  touch: cannot touch '/etc/x': Read-only file system ${"x".repeat(400)}`;

  const [found] = inferRefusedActions({ code: 1, stderr: `first\n${line}\nlast` }, policy);

  expect(found?.reason).toBe(line.trim().slice(0, 300));
});

test("of a long output the end is read", () => {
  const refused = "touch: cannot touch '/etc/x': Read-only file system\n";

  expect(inferRefusedActions({ code: 1, stderr: refused + "fine\n".repeat(2000) }, policy)).toEqual(
    [],
  );
  expect(
    inferRefusedActions({ code: 1, stderr: refused + "fine\n".repeat(1000) }, policy),
  ).toHaveLength(1);
});

test("any one of several grants opens its path", () => {
  const granted = [...policy.granted, { path: "/srv/more", kind: "directory" }] as const;
  const stderr = "cp: cannot create '/srv/more/x': Permission denied";

  expect(inferRefusedActions({ code: 1, stderr }, { ...policy, granted })).toEqual([]);
  expect(inferRefusedActions({ code: 1, stderr }, policy)).toHaveLength(1);
});
