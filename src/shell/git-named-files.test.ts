import { expect, test } from "vitest";
import { explainCommand } from "../explain/index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

const verdictWith = (config: string | Readonly<Record<string, string>>): string =>
  explainCommand("git blame a", { ...place, git: { config } }).verdict;

test.each(["/etc/passwd", "~/.netrc", "../x", '"/etc/x"', "a/../../x", "ignored", "/a;b"])(
  "git is asked about when a setting makes it read the file %s",
  (file) => {
    expect(verdictWith({ "blame.ignorerevsfile": file })).toBe("ask");
  },
);

test("a file in the workspace that a setting names by its whole path is read", () => {
  const inside = `${place.workspace}/.git-blame-ignore-revs`;

  expect(verdictWith({ "blame.ignorerevsfile": inside })).toBe("allow");
  expect(verdictWith({ "fsck.skiplist": inside })).toBe("allow");
});

test("the list of commits that git fsck skips is a file that a setting names", () => {
  const git = { config: { "fsck.skipList": "/etc/passwd" } };

  expect(explainCommand("git fsck", { ...place, git }).verdict).toBe("ask");
});

test("no value of a setting hides another one", () => {
  const inside = `blame.ignorerevsfile=${place.workspace}/ignored`;

  expect(verdictWith(`${inside}\n${inside}`)).toBe("allow");
  expect(verdictWith(`blame.ignoreRevsFile=/etc/passwd\n${inside}`)).toBe("ask");
});
