import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { hasRoom, namesLack, transientErrno, transientError } from "./transient-failure.ts";

const failed = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

test.each([
  ["unshare: unshare failed: Operation not permitted"],
  ["bwrap: setting up uid map: Permission denied"],
  ["bwrap: No permissions to create new namespace"],
  ["mount: /x: wrong fs type, bad option, bad superblock on tag."],
  ["mount: /x: unknown filesystem type 'overlay'."],
  ["unshare: unshare failed: Invalid argument"],
  ["bwrap: Unknown option --seccomp"],
])("a lack of the machine is recognized: %s", (text) => {
  expect(namesLack(text)).toBe(true);
  expect(transientErrno(text)).toBeUndefined();
});

test.each([
  ["mount: /x: No space left on device.", "ENOSPC"],
  ["mkdir: cannot create directory 'tree': Disk quota exceeded", "EDQUOT"],
  ["spawn /usr/bin/unshare EMFILE", "EMFILE"],
  ["mount: Too many open files in system", "ENFILE"],
  ["sh: error while loading shared libraries: Cannot allocate memory", "ENOMEM"],
  ["spawn /usr/bin/unshare EAGAIN", "EAGAIN"],
  ["sh: 1: Cannot fork", "EAGAIN"],
  ["rm: cannot remove 'gone': Input/output error", "EIO"],
  ["sh: 1: cannot create kept: Read-only file system", "EROFS"],
  ["wrong fs type, bad option: No space left on device", "ENOSPC"],
])("a failure that may be over the next time differs from a lack: %s", (text, errno) => {
  expect(transientErrno(text)).toBe(errno);
  expect(namesLack(text)).toBe(false);
});

test("an unknown failure is neither", () => {
  expect([transientErrno("It broke."), namesLack("It broke."), namesLack("")]).toEqual([
    undefined,
    false,
    false,
  ]);
});

test.each([
  ["ENOSPC", "NO_SPACE", true],
  ["EDQUOT", "NO_SPACE", true],
  ["EMFILE", "UNAVAILABLE", true],
  ["ENFILE", "UNAVAILABLE", true],
  ["ENOMEM", "UNAVAILABLE", true],
  ["EAGAIN", "UNAVAILABLE", true],
  ["EACCES", "ACCESS_DENIED", false],
  ["EPERM", "ACCESS_DENIED", false],
  ["EROFS", "ACCESS_DENIED", false],
  ["EIO", "UNAVAILABLE", true],
  ["ENOTDIR", "UNAVAILABLE", true],
] as const)("%s becomes %s", (errno, code, retryable) => {
  const error = transientError(failed(errno), { what: "the overlay", directory: "/data" });

  expect(error).toMatchObject({ code, retryable });
  expect(error.message).toContain("not started");
  expect(error.hint).toMatch(/\.$/u);
});

test("the cause of an error is found in its hint, and an error without space stays one", () => {
  const mount = new ToolError("UNAVAILABLE", "An overlay could not be mounted.", {
    hint: "mount: No space left on device",
  });
  const preparation = { what: "the overlay", directory: "/data" };

  expect(transientError(mount, preparation)).toMatchObject({
    code: "NO_SPACE",
    message:
      "There is no space left in /data for the overlay of the command, so it was not started.",
    hint: "Free some space, then run it again; rm with the names of files still runs.",
  });
  const full = new ToolError("NO_SPACE", "Full.");
  expect(transientError(full, preparation).code).toBe("NO_SPACE");
});

test("a directory of this machine has room", async () => {
  expect(await hasRoom("/")).toBe(true);
});
