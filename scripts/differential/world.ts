import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Directories of one run: what a command may read, and what it may only read if haft lists it. */
export interface World {
  readonly base: string;
  readonly workspace: string;
  readonly outside: string;
  readonly home: string;
  /** Writable by the traced programs; holds nothing that is compared. */
  readonly logs: string;
  dispose(): void;
}

/** Files of the workspace that programs of one kind accept. */
const texts: Readonly<Record<string, string>> = {
  "a.txt": "alpha 1\nbeta 2\ngamma 3\n",
  "b.txt": "alpha 1\nbeta 3\n",
  "data.json": '{"name":"x","list":[1,2]}\n',
  "page.html": "<p>x</p>\n",
  "script.sh": "#!/bin/sh\necho script\n",
  "script.py": "print('script')\n",
  "main.c": "int main(void) { return 0; }\n",
  "names.list": "a.txt\nb.txt\n",
};

/** Creates a workspace with a file of each kind, an outside directory, and an empty home. */
export function createWorld(): World {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-differential-")));
  const at = (name: string): string => path.join(base, name);
  for (const name of ["workspace", "outside/dir", "home", "logs"]) {
    mkdirSync(at(name), { recursive: true });
  }
  for (const directory of ["workspace", "outside", "outside/dir"]) {
    for (const [name, text] of Object.entries(texts))
      writeFileSync(at(`${directory}/${name}`), text);
  }
  for (const name of ["run", "dir/run"]) {
    writeFileSync(at(`outside/${name}`), "#!/bin/sh\necho ran\n");
    chmodSync(at(`outside/${name}`), 0o755);
  }
  // An option file, as programs with `@file` operands read it.
  writeFileSync(at("outside/options"), `${at("outside/a.txt")}\n`);
  writeFileSync(at("outside/names0"), `${at("outside/a.txt")}\0`);
  makeBinaries(at("workspace"));
  makeBinaries(at("outside"));
  return {
    base,
    workspace: at("workspace"),
    outside: at("outside"),
    home: at("home"),
    logs: at("logs"),
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Archives, an object file and a repository; one that the machine cannot make is left out. */
function makeBinaries(directory: string): void {
  const steps: readonly (readonly string[])[] = [
    ["tar", "-cf", "a.tar", "a.txt", "b.txt"],
    ["tar", "-czf", "a.tgz", "a.txt"],
    ["gzip", "-k", "a.txt"],
    ["bzip2", "-k", "b.txt"],
    ["xz", "-k", "b.txt"],
    ["zip", "-q", "a.zip", "a.txt"],
    ["cc", "-g", "-o", "main", "main.c"],
    ["cc", "-c", "main.c"],
    ["ar", "rc", "lib.a", "main.o"],
    ["git", "init", "-q"],
    ["git", "add", "a.txt", "b.txt"],
    ["git", "-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "-m", "first"],
  ];
  for (const [program = "", ...words] of steps) {
    try {
      execFileSync(program, words, { cwd: directory, stdio: "ignore" });
    } catch {
      // The programs that need this file are tried without it.
    }
  }
  try {
    signHead(directory);
    // Git reads such a file again, and then writes down that it is unchanged.
    utimesSync(path.join(directory, "b.txt"), 0, 0);
  } catch {
    // Git is tried without a signed commit.
  }
}

/** Replaces the first commit with one that has a signature, which git verifies with another program when asked. */
function signHead(directory: string): void {
  const git = (words: readonly string[], input = ""): string =>
    execFileSync("git", words, {
      cwd: directory,
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    }).trim();
  const person = "x <x@y> 1 +0000";
  const commit = git(
    ["hash-object", "-t", "commit", "-w", "--stdin"],
    `tree ${git(["write-tree"])}\nauthor ${person}\ncommitter ${person}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n\nfirst\n`,
  );
  git(["update-ref", "HEAD", commit]);
  git(["-c", "user.name=x", "-c", "user.email=x@y", "tag", "-m", "first", "v1"]);
}
