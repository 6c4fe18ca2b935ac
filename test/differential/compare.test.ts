import { expect, test } from "vitest";
import { unlistedIn } from "../../scripts/differential/compare.ts";
import { observationsIn, splitTrace } from "../../scripts/differential/trace.ts";
import type { World } from "../../scripts/differential/world.ts";

const world: World = {
  base: "/run",
  workspace: "/run/workspace",
  outside: "/run/outside",
  home: "/run/home",
  logs: "/run/logs",
  dispose: () => undefined,
};
const nothingUsual = { world, usual: new Set<string>() };

test("a trace shows files read and written, programs started and networks used", () => {
  const trace = [
    '7 execve("/usr/bin/timeout", ["timeout"], 0x1) = 0',
    '7 execve("/usr/bin/nm", ["nm"], 0x1) = 0',
    '7 openat(AT_FDCWD</run/workspace>, "a.txt", O_RDONLY) = 3</run/workspace/a.txt>',
    '7 openat(AT_FDCWD</run/workspace>, "gone", O_RDONLY) = -1 ENOENT (No such file or directory)',
    '7 openat(AT_FDCWD</run/workspace>, "new", O_WRONLY|O_CREAT, 0666) = -1 EROFS (Read-only file system)',
    '7 renameat2(AT_FDCWD</run/workspace>, "a", 5</run/outside>, "b", 0) = 0',
    "7 getdents64(3</run/outside/dir>, 0x1, 32768) = 120",
    '7 connect(3<UDP:[1]>, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.1")}, 16) = 0',
    '8 execve("/bin/sh", ["sh"], 0x1) = 0',
  ].join("\n");

  const found = observationsIn(trace);

  expect(found).toEqual([
    { kind: "execute", target: "/usr/bin/nm" },
    { kind: "read", target: "/run/workspace/a.txt" },
    { kind: "write", target: "/run/workspace/new" },
    { kind: "write", target: "/run/workspace/a" },
    { kind: "write", target: "/run/outside/b" },
    { kind: "read", target: "/run/outside/dir" },
    { kind: "connect", target: "htons(53)" },
    { kind: "execute", target: "/bin/sh" },
  ]);
});

test("what an effect lists is not reported, everything else is", () => {
  const done = observationsIn(
    [
      '7 execve("/usr/bin/timeout", ["timeout"], 0x1) = 0',
      '7 openat(AT_FDCWD</>, "/run/outside/a.txt", O_RDONLY) = 3</run/outside/a.txt>',
      '7 openat(AT_FDCWD</>, "/run/outside/dir/x", O_RDONLY) = 3</run/outside/dir/x>',
      '7 openat(AT_FDCWD</>, "/tmp/new", O_WRONLY|O_CREAT, 0666) = 3</tmp/new>',
      '7 openat(AT_FDCWD</>, "/usr/lib/libc.so", O_RDONLY) = 3</usr/lib/libc.so>',
    ].join("\n"),
  );

  const listed = unlistedIn(
    done,
    [{ kind: "read", path: "/run/outside/dir", scope: "tree" }],
    nothingUsual,
  );

  expect(listed).toEqual([
    { kind: "read", target: "/run/outside/a.txt" },
    { kind: "write", target: "/tmp/new" },
  ]);
});

test("the trace of a batch is split by command, and a program that outlives its command stays with it", () => {
  const trace = [
    '5 openat(AT_FDCWD</w>, "/haft-differential-command/0", O_RDONLY) = -1 ENOENT (No such file or directory)',
    "5 vfork( <unfinished ...>",
    '6 execve("/usr/bin/timeout", ["timeout"], 0x1) = 0',
    "5 <... vfork resumed>) = 6",
    "6 clone(child_stack=NULL, flags=SIGCHLD) = 7",
    '7 execve("/usr/bin/first", ["first"], 0x1) = 0',
    '8 openat(AT_FDCWD</w>, "early", O_RDONLY) = 3</w/early>',
    "7 clone3({flags=0}, 88) = 8",
    '5 openat(AT_FDCWD</w>, "/haft-differential-command/1", O_RDONLY) = -1 ENOENT (No such file or directory)',
    "5 clone(child_stack=NULL, flags=SIGCHLD) = 9",
    '9 execve("/usr/bin/timeout", ["timeout"], 0x1) = 0',
    '8 openat(AT_FDCWD</w>, "late", O_RDONLY) = 3</w/late>',
    '9 execve("/usr/bin/second", ["second"], 0x1) = 0',
    '5 openat(AT_FDCWD</w>, "/haft-differential-command/2", O_RDONLY) = -1 ENOENT (No such file or directory)',
  ].join("\n");

  const found = splitTrace(trace).map(observationsIn);

  expect(found).toEqual([
    [
      { kind: "execute", target: "/usr/bin/first" },
      { kind: "read", target: "/w/early" },
      { kind: "read", target: "/w/late" },
    ],
    [{ kind: "execute", target: "/usr/bin/second" }],
    [],
  ]);
});

test("what happens before the program of a command runs is the shell's", () => {
  const trace = [
    '6 openat(AT_FDCWD</run/workspace>, "/run/workspace/a.txt", O_RDONLY) = 3</run/workspace/a.txt>',
    '6 execve("/usr/bin/timeout", ["timeout"], 0x1) = 0',
  ].join("\n");

  expect(observationsIn(trace)).toEqual([]);
});
