import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isWithin } from "../../src/text/index.ts";
import { workspaceId } from "../../src/workspace/index.ts";
import { protectedPaths } from "../../src/core/index.ts";
import { secretVariables } from "../../src/core/tables/secret-variables.ts";
import { secretFamilyNames, secretRows } from "../../src/core/tables/secret-rows.ts";
import { createToolkit, type Kit, type Outcome, type ToolkitOptions } from "../../src/index.ts";
import { cachesIn } from "../../src/sandbox/policy/cache-directories.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { areLawsFull } from "../support/law-runs.ts";

leaveNothing();

// Every row of the tables of protected and of secret paths, tried by one program in each sandbox that works here and in
// each way in which programs are run: what a report does not name as a gap has to hold for all of them.

const at = temporaryFolder("tables");
const kits: Kit[] = [];
beforeEach(() => {
  for (const name of ["work", "home"]) mkdirSync(at(name), { recursive: true });
  vi.stubEnv("HOME", at("home"));
});
afterEach(async () => {
  for (const kit of kits.splice(0)) await kit.dispose();
  vi.unstubAllEnvs();
});

async function open(options: ToolkitOptions): Promise<Kit> {
  const kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "acceptEdits",
    rules: { allow: ["Bash(sh *)"] },
    ...options,
  });
  kits.push(kit);
  return kit;
}

function write(name: string, text: string): void {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
}

interface Ran {
  readonly gaps: readonly string[];
  readonly text: string;
}

type Way = (driver: string, command: string) => Promise<Ran>;

function ranBy({ metadata, text }: Outcome, more = ""): Ran {
  const sandbox = metadata["sandbox"] as { readonly gaps?: readonly string[] } | undefined;
  return { gaps: sandbox?.gaps ?? [], text: text + more };
}

const ways: Readonly<Record<string, Way>> = {
  "haft sandbox": async (driver, command) => {
    const kit = await open({ sandbox: { driver } });
    const printed: Uint8Array[] = [];
    const { report } = await kit.runConfined(["sh", "-c", command], {
      onOutput: (bytes) => printed.push(bytes),
    });
    return { gaps: report.gaps.map(({ id }) => id), text: Buffer.concat(printed).toString() };
  },
  "on the real files": async (driver, command) => {
    const kit = await open({ sandbox: { driver, overlay: "off" } });
    return ranBy(await kit.call({ name: "Bash", input: { command } }));
  },
  "in the background": async (driver, command) => {
    const kit = await open({ sandbox: { driver } });
    const began = await kit.call({ name: "Bash", input: { command, run_in_background: true } });
    const task = { task_id: began.metadata["taskId"], block: true, timeout: 60_000 };
    const ended = await kit.call({ name: "TaskOutput", input: task });
    return ranBy(began, ended.text);
  },
  "on an overlay": async (driver, command) => {
    const kit = await open({ sandbox: { driver } });
    return ranBy(await kit.call({ name: "Bash", input: { command } }));
  },
};

const tried = await Promise.all(
  drivers
    .filter(({ name }) => name === "bwrap" || name === "landlock" || name === "unshare")
    .map(async (driver) => ({ name: driver.name, ...(await probeDriver(driver)) })),
);
const cases = tried.flatMap(({ name, works }) =>
  // It holds no files at all, in any way.
  Object.keys(ways)
    .filter((how) => name !== "unshare" || how === "haft sandbox")
    .map((how) => ({ name, works, how })),
);
/** A developer's run tries each third: two ways of one sandbox, another way of another. */
const casesHere = cases.filter((_, index) => areLawsFull || index % 3 === 0);

/** The part of a list that one way tries: each driver tries all of it, because a mount for each row at once takes long. */
function partOf<T>(list: readonly T[], how: string): readonly T[] {
  const names = Object.keys(ways);
  return list.filter((_, index) => index % names.length === names.indexOf(how));
}

/** Files that exist and are protected, in both forms a row can have, at the top and below. */
function protectedFiles(how: string): readonly string[] {
  const rows = partOf(protectedPaths, how)
    .filter((row) => row !== ".git")
    .map((row) => row.replace("*", "x"));
  return [
    ...rows.map((row) => `work/${row}`),
    ...rows.map((row) => `work/pkg/deep/${row}/${row.endsWith(".hg") ? "hgrc" : inner(row)}`),
    ...[".git", "pkg/.git", "bare"].flatMap((folder) =>
      ["config", "hooks/post-checkout", "info/attributes"].map((name) => `work/${folder}/${name}`),
    ),
    "work/.git/config.worktree",
    "work/.git/rebase-merge/git-rebase-todo",
    "work/.git/rebase-apply/next",
    "work/.git/modules/a/b/config",
    "work/.git/modules/a/b/hooks/post-checkout",
    // Names that are those of a repository's parts, and more of them than a depth that was once searched.
    "work/.git/modules/hooks/config",
    "work/.git/modules/a/b/c/d/e/f/g/h/config",
    "work/.git/worktrees/w/modules/a/config",
    "work/.git/worktrees/w/modules/a/hooks/post-checkout",
    "work/.git/worktrees/w/config.worktree",
    "work/more.gitconfig",
    "work/tools/hooks/pre-commit",
    "work/tools/monitor.sh",
  ];
}

function inner(row: string): string {
  return row === ".jj" ? "repo/config.toml" : "file";
}

function makeRepositories(): void {
  for (const name of ["work", "work/pkg"]) execFileSync("git", ["init", "-q", at(name)]);
  execFileSync("git", ["init", "-q", "--bare", at("work/bare")]);
  const settings: readonly (readonly [string, string])[] = [
    ["include.path", "../more.gitconfig"],
    ["core.hooksPath", "tools/hooks"],
    ["core.fsmonitor", "./tools/monitor.sh"],
  ];
  for (const pair of settings) execFileSync("git", ["-C", at("work"), "config", ...pair]);
}

describe.each(casesHere)("with $name, $how", { timeout: 120_000 }, ({ name, works, how }) => {
  test.skipIf(!works)("no existing protected path is changed unless a gap says so", async () => {
    makeRepositories();
    const files = protectedFiles(how);
    const before = new Map<string, string>();
    for (const file of files) {
      // Files that git itself reads stay readable for it.
      const isGit = /\/(?:\.git|bare)\/config$/u.test(file);
      if (!isGit) write(file, "\n");
      before.set(file, readFileSync(at(file), "utf8"));
    }
    write("list", `${files.map((file) => at(file)).join("\n")}\n`);
    write(
      "work/attack.sh",
      `while read -r f; do
        echo '# PLANTED' >> "$f"
        mv -f "$f" "$f.away" && echo '# PLANTED' > "$f"
        echo '# PLANTED' > "$f.new"; mv -f "$f.new" "$f"
        d=\${f%/*}; mv -f "$d" "$d.away" && mkdir -p "$d" && echo '# PLANTED' > "$f"
      done < ${at("list")} 2>/dev/null
      mv pkg pkg.away && mkdir pkg
      true\n`,
    );

    const { gaps } =
      (await (ways[how] ?? ways["on an overlay"])?.(name, "sh attack.sh")) ?? failed();

    const changed = files.filter((file) => readOr(at(file)) !== before.get(file));
    const isAdmitted = gaps.includes("protected-paths") || gaps.includes("writes");
    expect(isAdmitted ? [] : changed).toEqual([]);
    expect(isAdmitted).toBe(name !== "bwrap");
  });

  test.skipIf(!works)("no known secret is read unless a gap says so", async () => {
    const places = partOf(secretFiles(), how);
    for (const [index, file] of places.entries()) write(file, `SECRET-${index}-\n`);
    write("home/notes", "PLAIN\n");
    const kept = `data/artifacts/${workspaceId(at("work"))}`;
    const foreign = `data/artifacts/${workspaceId(at("other"))}`;
    write(`${kept}/kept.txt`, "ARTIFACT\n");
    write(`${foreign}/kept.txt`, "FOREIGN\n");
    const list = [
      ...places.map((file) => at(file)),
      at("home/notes"),
      at(`${kept}/kept.txt`),
      at(`${foreign}/kept.txt`),
    ];
    write("list", `${list.join("\n")}\n`);
    write(
      "work/read.sh",
      `while read -r f; do cat "$f"; done < ${at("list")} > read.txt 2>/dev/null
      grep -o 'SECRET-[0-9]*-\\|PLAIN\\|ARTIFACT\\|FOREIGN' read.txt | sort -u | tr '\\n' ' '; rm -f read.txt`,
    );

    const { gaps, text } =
      (await (ways[how] ?? ways["on an overlay"])?.(name, "sh read.sh")) ?? failed();

    const seen = places.filter((_, index) => text.includes(`SECRET-${index}-`));
    // A program that reads at all could read here.
    expect(text).toContain("PLAIN");
    expect(text).toContain("ARTIFACT");
    expect(text.includes("FOREIGN")).toBe(gaps.includes("reads"));
    // Landlock opens the caches of package managers to be written, and cannot hide a part of what it opens.
    const caches = cachesIn(at("home"));
    const isInside = (file: string): boolean =>
      caches.some((cache) => isWithin(cache, at(file))) && gaps.includes("hidden-inside");
    expect(gaps.includes("reads") ? [] : seen.filter((file) => !isInside(file))).toEqual([]);
    expect(gaps.includes("hidden-inside")).toBe(name === "landlock");
    expect(gaps.includes("reads")).toBe(name === "unshare");
  });

  const isOnce = how === "haft sandbox" && name !== "unshare";
  test.runIf(works && isOnce)("no secret of the machine is read", async () => {
    const rows = secretRows("system");
    write("list", `${rows.join("\n")}\n`);
    write(
      "work/read.sh",
      `while read -r f; do
        for each in $f; do
          n=$(find "$each" -type f -exec head -c 1 {} \\; 2>/dev/null | head -c 1 | wc -c)
          [ "$n" = 0 ] || echo "LEAK $each"
        done
      done < ${at("list")}
      echo END`,
    );

    const { text } = (await (ways[how] ?? ways["on an overlay"])?.(name, "sh read.sh")) ?? failed();

    expect(text).toContain("END");
    expect(text).not.toContain("LEAK");
  });
});

/** A file in each place of a secret: below home, where variables put it, and of another workspace of this system. */
function secretFiles(): readonly string[] {
  const rows = secretFamilyNames.filter((family) => family !== "system").flatMap(secretRows);
  const plain = [...new Set(rows.map((row) => row.replaceAll("*", "x")))];
  const outermost = plain.filter(
    (row) => row !== ".local/share/haft" && !plain.some((other) => row.startsWith(`${other}/`)),
  );
  const hasRowsBelow = (row: string): boolean => plain.some((other) => other.startsWith(`${row}/`));
  for (const name of ["CONFIG", "DATA", "STATE", "CACHE"]) {
    vi.stubEnv(`XDG_${name}_HOME`, at(`xdg/${name.toLowerCase()}`));
  }
  const moved: string[] = [];
  for (const [name, parts] of Object.entries(secretVariables)) {
    vi.stubEnv(name, at(`moved/${name}`));
    moved.push(...parts.map((part) => `moved/${name}${part === "" ? "" : `/${part}`}`));
  }
  return [
    // Both forms: some are files, some are directories.
    ...outermost.map(
      (row) => `home/${row}${hasRowsBelow(row) || row.length % 2 === 0 ? "/deep/file" : ""}`,
    ),
    "home/.local/share/haft/other-0000/journal/log/1.jsonl",
    "xdg/config/gcloud/credentials.db",
    "xdg/data/keyrings/login.keyring",
    "xdg/state/nvim/shada",
    "xdg/cache/huggingface/token",
    ...moved,
    "data/other/journal/1.jsonl",
    "data/journal/log/1.jsonl",
    "data/events.db",
  ];
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function failed(): never {
  throw new TypeError("There is no such way.");
}
