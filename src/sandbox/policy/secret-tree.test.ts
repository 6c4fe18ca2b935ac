import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadSecretTables } from "../../text/index.ts";
import { type SecretOptions } from "../../text/paths/secret-places.ts";
import { secretsOf, secretsThere } from "./secret-tree.ts";

const at = temporaryFolder("secret-tree");

function files(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), "");
  }
}

/** Returns the secrets in the directory of the test. */
async function found(more: Partial<SecretOptions> = {}): Promise<readonly string[]> {
  const { secretPlaces } = await loadSecretTables();
  const options = { homes: [at("home")], variables: {}, workspace: at("work"), ...more };
  return (await secretsThere(secretPlaces(options)))
    .map((each) => path.relative(at(""), each))
    .filter((name) => !name.startsWith(".."));
}

test("secrets are those that are there, each as a whole", async () => {
  files("home/.ssh/key", "home/.ssh/deep/key", "home/.netrc", "home/notes");

  expect((await found()).toSorted()).toEqual(["home/.netrc", "home/.ssh"]);
});

test("an empty directory of the user is hidden as well, for something may come into it", async () => {
  mkdirSync(at("home/.ssh"), { recursive: true });

  expect(await found()).toEqual(["home/.ssh"]);
});

test("what is open is not hidden, and of what is around it everything else is", async () => {
  files("home/.ssh/key", "home/.ssh/open/a", "home/.ssh/deep/open", "home/.ssh/deep/key");
  files("home/.netrc");

  expect(await found({ open: ["~/.netrc", "~/.ssh"] })).toEqual([]);
  expect((await found({ open: ["~/.ssh/open", "~/.ssh/deep/open"] })).toSorted()).toEqual([
    "home/.netrc",
    "home/.ssh/deep/key",
    "home/.ssh/key",
  ]);
});

test("nothing is below a file or a broken link where a directory is expected, until one is there", async () => {
  writeFileSync(at("home"), "");
  expect(await found()).toEqual([]);
  rmSync(at("home"));
  symlinkSync("nowhere", at("home"));
  expect(await found()).toEqual([]);

  files("nowhere/.ssh/key");
  expect(await found()).toEqual(["home/.ssh"]);

  rmSync(at("home"));
  files("home/.ssh/key");
  expect(await found()).toEqual(["home/.ssh"]);
});

test("a secret around another one is named alone", async () => {
  files("home/vault/inner/key");

  expect(await found({ add: ["~/vault/inner", "~/vault"] })).toEqual(["home/vault"]);
});

test("a name with a star stands for all there are, also where one of them is named besides", async () => {
  files("home/keys/one.key", "home/keys/two.key", "home/keys/three");

  expect((await found({ add: ["~/keys/*.key", "~/keys/one.key"] })).toSorted()).toEqual([
    "home/keys/one.key",
    "home/keys/two.key",
  ]);
});

test("of two ways to one secret the wider counts, and it is named once", async () => {
  files("home/keys/a/inner", "home/keys/b");
  expect((await found({ add: ["~/keys/*", "~/keys/a/inner"] })).toSorted()).toEqual([
    "home/keys/a",
    "home/keys/b",
  ]);

  files("home/kept/x");
  expect(await found({ add: ["~/kep*/x", "~/kept/x"] })).toEqual(["home/kept/x"]);
});

test("an empty directory of the system is what a service left that is not set up", async () => {
  const { secretPlaces } = await loadSecretTables();
  const directory = mkdtempSync("/var/tmp/haft-secret-");
  const options = { homes: [at("home")], variables: {}, workspace: at("work") };
  const places = secretPlaces({ ...options, add: [directory] });
  try {
    expect(await secretsThere(places)).not.toContain(directory);
    writeFileSync(`${directory}/key`, "");
    expect(await secretsThere(places)).toContain(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("a link that is a secret is named, wherever it leads", async () => {
  files("disk/key");
  mkdirSync(at("home"));
  symlinkSync(at("disk"), at("home/.ssh"));

  expect(await found()).toEqual(["home/.ssh"]);
});

test("secrets of this user are those of the home directory that is named, too", async () => {
  files("home/.ssh/key");

  const places = await secretsOf({ home: at("home"), workspace: at("work") });

  expect(places.at(at("home/.ssh/key"))).toBe(at("home/.ssh"));
  expect(places.at(at("home/notes"))).toBeUndefined();
  // HOME may differ from the home directory of the account.
  const account = userInfo().homedir;
  expect(places.at(path.join(account, ".ssh/key"))).toBe(path.join(account, ".ssh"));
});
