import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Programs that do nothing but write down how they were called. */
export const stubNames = ["show", "alpha", "beta", "r-m"] as const;

export interface Referee {
  /** The words of every stub that ran, in order of their start. */
  run(command: string): readonly (readonly string[])[];
  /** Whether bash would parse it. Nothing runs. */
  parses(command: string): boolean;
  dispose(): void;
}

/**
 * A real bash in a throw-away folder, on whose PATH there is nothing but stubs. Only give `run` text
 * made from stubs and the shell's own harmless commands: redirects and `cd` are as real as ever.
 */
export function bashReferee(): Referee {
  const root = mkdtempSync(path.join(tmpdir(), "haft-referee-"));
  const bin = path.join(root, "bin");
  const work = path.join(root, "work");
  const log = path.join(root, "log");
  mkdirSync(bin);
  mkdirSync(work);
  for (const name of stubNames) {
    const file = path.join(bin, name);
    writeFileSync(
      file,
      `#!/bin/bash\nprintf '%s\\0' ${name} "$@" >> '${log}'\nprintf '\\1\\0' >> '${log}'\n`,
    );
    chmodSync(file, 0o755);
  }
  const env = { PATH: bin, HOME: "/home/user", LC_ALL: "C.UTF-8" };
  const options = { cwd: work, env, timeout: 5000, encoding: "utf8" as const, input: "" };
  return {
    run(command) {
      writeFileSync(log, "");
      spawnSync("/bin/bash", ["--norc", "--noprofile", "-c", command], options);
      const calls: string[][] = [];
      let words: string[] = [];
      for (const word of readFileSync(log, "utf8").split("\0").slice(0, -1)) {
        if (word === "\u0001") {
          calls.push(words);
          words = [];
        } else words.push(word);
      }
      return calls;
    },
    parses: (command) => spawnSync("/bin/bash", ["-n", "-c", command], options).status === 0,
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}
