import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import { privateFiles } from "./private-files.ts";
import { plainPolicy } from "./probe/cache.ts";

const at = temporaryFolder("private-files");
const folder = (name: string) => ({ path: at(name), kind: "directory" }) as const;

beforeEach(() => {
  mkdirSync(at("tmp"));
  vi.stubEnv("TMPDIR", at("tmp"));
});

test("what is kept is for this user alone, and nothing is left of it", async () => {
  const one = await privateFiles(plainPolicy);
  const other = await privateFiles(plainPolicy);
  const kept = await one.keep("filter", "text");

  expect(readFileSync(kept, "utf8")).toBe("text");
  expect(path.dirname(kept)).toBe(one.directory);
  expect([one.common, kept].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
  expect(one.others).toBeUndefined();
  expect(other.common).toBe(one.common);
  await one.dispose();
  expect(existsSync(other.directory)).toBe(true);
  await other.dispose();
  expect(readdirSync(at("tmp"))).toEqual([]);
});

test.each([0o755, 0o770, 0o701])(
  "a directory of mode %o may hold something of others",
  async (mode) => {
    const files = await privateFiles(plainPolicy);
    mkdirSync(`${files.directory}-kept`);
    await files.dispose();
    chmodSync(files.common, mode);

    await expect(privateFiles(plainPolicy)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      hint: "Remove it, or set TMPDIR to a directory of your own.",
    });
  },
);

test("in what a command may write they are not kept, where that cannot be left out", async () => {
  const inside = { ...plainPolicy, writable: [folder("tmp")] };

  await expect(privateFiles(inside)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: `Do not open ${at("tmp")} for writing, or set TMPDIR to a directory outside of it.`,
  });
  const files = await privateFiles(inside, { canLeaveOut: true });
  expect(path.dirname(files.common)).toBe(at("tmp"));
  await files.dispose();
});

test.each(["writable", "granted"] as const)(
  "deeper in a tree that is %s they are kept elsewhere, and the usual place is named",
  async (how) => {
    const usual = await privateFiles(plainPolicy);
    const policy = { ...plainPolicy, [how]: [folder("")] };

    await expect(privateFiles(policy)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    const files = await privateFiles(policy, { canLeaveOut: true });

    expect(path.dirname(files.common)).toBe(realpathSync("/var/tmp"));
    expect(files.others).toBe(usual.common);
    await files.dispose();
    await usual.dispose();
  },
);

test("a directory that is also open is skipped, and one that is not used is not named", async () => {
  const open = [folder("other"), { path: realpathSync("/var/tmp"), kind: "directory" }, folder("")];
  const policy = { ...plainPolicy, writable: open as SandboxPolicy["writable"] };

  const files = await privateFiles(policy, { canLeaveOut: true });

  expect(path.dirname(files.common)).toBe(realpathSync("/tmp"));
  expect(files.others).toBeUndefined();
  await files.dispose();
});

test("a directory of another user is not used", async () => {
  const { getuid } = process;
  try {
    process.getuid = () => 4242;
    await expect(privateFiles(plainPolicy)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  } finally {
    if (getuid !== undefined) process.getuid = getuid;
  }
});

test("where no directory can be made, it is given up", async () => {
  vi.stubEnv("TMPDIR", at("file"));
  writeFileSync(at("file"), "");

  await expect(privateFiles(plainPolicy)).rejects.toMatchObject({ code: "ENOTDIR" });
});

test("files that are gone already are no reason to fail", async () => {
  const files = await privateFiles(plainPolicy);
  rmSync(files.common, { recursive: true });

  await expect(files.dispose()).resolves.toBeUndefined();
});
