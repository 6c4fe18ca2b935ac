import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localHost, type LocalHostOptions } from "../../src/host/index.ts";
import { createToolkit } from "../../src/kit/index.ts";
import type { Outcome } from "../../src/core/index.ts";

/** A real repository in a folder of its own, in which a script says when it was run. */
let folder: string;
let workspace: string;
let marker: string;
let evil: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-hostile-"));
  workspace = path.join(folder, "workspace");
  marker = path.join(folder, "was-run");
  mkdirSync(workspace);
  evil = write("evil.sh", `#!/bin/sh\necho run >> ${marker}\ncat "$@" 2>/dev/null\n`, 0o755);
  git("init", "-q");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  write("a.txt", "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  write("a.txt", "two\n");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const plainGit = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
};

function git(...words: readonly string[]): void {
  execFileSync("git", ["-C", workspace, ...words], { env: plainGit, stdio: "pipe" });
}

function write(name: string, text: string, mode = 0o644): string {
  const file = path.join(workspace, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** Outcome of a command where nobody can be asked. */
async function bash(command: string, options: LocalHostOptions = {}): Promise<Outcome> {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, ...options.environment };
  const host = await localHost({ ...options, environment });
  const dataDirectory = path.join(folder, "data");
  try {
    await using kit = await createToolkit({ host, workspace, dataDirectory });
    return await kit.call({ id: "1", name: "Bash", input: { command } });
  } finally {
    await host[Symbol.asyncDispose]();
  }
}

const reading = [
  "git status",
  "git diff",
  "git log -p -1",
  "git show HEAD",
  "git blame a.txt",
  "git grep one",
  "git branch",
  "git diff | cat",
  "git log -p | head -20",
  "cd . && git status",
];

describe("a repository's configuration runs nothing unasked", () => {
  test.each([
    { name: "file system monitor", set: [["core.fsmonitor"]] },
    { name: "external diff", set: [["diff.external"]] },
    { name: "pager", set: [["core.pager"], ["pager.log"], ["pager.diff"]] },
    { name: "hooks", set: [["core.hooksPath", "hooks"]] },
    { name: "signature check", set: [["gpg.program"], ["log.showSignature", "true"]] },
    { name: "converter", set: [["diff.x.textconv"]], attributes: "*.txt diff=x\n" },
    { name: "diff driver", set: [["diff.x.command"]], attributes: "*.txt diff=x\n" },
    {
      name: "filter",
      set: [["filter.x.clean"], ["filter.x.smudge"]],
      attributes: "*.txt filter=x\n",
    },
    { name: "alias of a command", set: [["alias.status", "!evil"], ["alias.st"]] },
    { name: "included file", set: [["include.path", "../hostile.cfg"]] },
  ])("$name", async ({ set, attributes }) => {
    for (const [key = "", value = evil] of set) git("config", key, value);
    write("hostile.cfg", `[core]\n\tfsmonitor = ${evil}\n[diff]\n\texternal = ${evil}\n`);
    for (const hook of ["post-index-change", "fsmonitor-watchman"]) {
      write(`hooks/${hook}`, `#!/bin/sh\necho run >> ${marker}\n`, 0o755);
      write(`.git/hooks/${hook}`, `#!/bin/sh\necho run >> ${marker}\n`, 0o755);
    }
    if (attributes !== undefined) write(".gitattributes", attributes);

    const ran: string[] = [];
    for (const command of reading) {
      await bash(command);
      if (existsSync(marker)) ran.push(command);
    }
    expect(ran).toEqual([]);
  });

  test("and the same commands just work where it is harmless", async () => {
    for (const command of reading) {
      expect(await bash(command)).toMatchObject({ title: command, status: "ok", isError: false });
    }
  });

  test("an alias is never taken for a command of git", async () => {
    git("config", "alias.st", `!${evil}`);

    expect((await bash("git st")).status).toBe("denied");
    expect(existsSync(marker)).toBe(false);
  });

  test("nor does one in a folder that is entered", async () => {
    const inner = path.join(workspace, "vendor/inner");
    mkdirSync(inner, { recursive: true });
    const vendor = (...words: readonly string[]): void => {
      execFileSync("git", ["-C", inner, ...words], { env: plainGit, stdio: "pipe" });
    };
    vendor("init", "-q");
    writeFileSync(path.join(inner, ".gitattributes"), "* filter=x\n");
    writeFileSync(path.join(inner, "b.txt"), "b\n");
    vendor("config", "user.name", "Ada");
    vendor("config", "user.email", "ada@example.com");
    vendor("add", ".");
    vendor("commit", "-q", "-m", "first");
    vendor("config", "filter.x.clean", evil);
    writeFileSync(path.join(inner, "b.txt"), "changed\n");

    for (const command of ["cd vendor/inner && git status", "git -C vendor/inner diff"]) {
      expect((await bash(command)).status).toBe("denied");
    }
    expect(existsSync(marker)).toBe(false);
  });
});

describe("the workspace brings no programs of its own to an unasked command", () => {
  test("first on PATH it is asked about, and behind the system's it is not found", async () => {
    write("bin/ls", `#!/bin/sh\necho run >> ${marker}\n`, 0o755);
    const own = path.join(workspace, "bin");
    const system = process.env["PATH"] ?? "";

    const listed = "ls a.txt | cat";
    expect((await bash("ls a.txt", { environment: { PATH: `${system}:${own}` } })).status).toBe(
      "ok",
    );
    expect((await bash(listed, { environment: { PATH: `${system}:${own}` } })).status).toBe("ok");
    expect(existsSync(marker)).toBe(false);
  });

  test("the environment loads nothing into it", async () => {
    const environment = {
      BASH_ENV: evil,
      ENV: evil,
      "BASH_FUNC_ls%%": `() { echo run >> ${marker}; }`,
      "BASH_FUNC_cat%%": `() { echo run >> ${marker}; }`,
      LESSOPEN: `|${evil} %s`,
      PAGER: evil,
      GIT_PAGER: evil,
      GIT_EXTERNAL_DIFF: evil,
      GIT_SSH_COMMAND: evil,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${evil}'`,
      GREP_OPTIONS: "-r",
      RIPGREP_CONFIG_PATH: evil,
      PROMPT_COMMAND: evil,
      PS4: `$(${evil})`,
      SHELLOPTS: "xtrace",
      PYTHONPATH: workspace,
      MANPAGER: evil,
    };
    const passEnvironment = Object.keys(environment);

    for (const command of [
      "ls a.txt",
      "ls a.txt | cat",
      "git diff",
      "git diff | cat",
      "cat a.txt",
    ]) {
      const { status } = await bash(command, { environment, passEnvironment });
      expect({ command, status, ran: existsSync(marker) }).toEqual({
        command,
        status: "ok",
        ran: false,
      });
    }
  });
});

describe("protected paths are written by no rule and no mode but bypass, through the shell as well", () => {
  test.each([
    "echo x > .git/hooks/post-commit",
    "echo x | tee .npmrc",
    "cp a.txt .git/config",
    "mv a.txt .husky",
    "ln -s a.txt .envrc",
    "sed -i s/a/b/ .claude/settings.json",
    "mkdir -p .github/workflows",
    "touch .haft/settings.json",
    "cd .git && echo x > config",
    "echo x > sub/../.git/config",
    "dd if=a.txt of=.vscode/tasks.json",
    "install a.txt .bashrc",
    "sort -o .npmrc a.txt",
    "cp a.txt ~/.bashrc",
    "echo x >> ~/.profile",
  ])("%s", async (command) => {
    const host = await localHost();
    const dataDirectory = path.join(folder, "data");
    const allow = ["Edit", "Bash(* *)"];
    for (const mode of ["default", "acceptEdits", "dontAsk", "plan"] as const) {
      await using kit = await createToolkit({
        host,
        workspace,
        dataDirectory,
        mode,
        rules: { allow },
      });
      const { decision } = await kit.explain({ name: "Bash", input: { command } });
      expect(decision?.kind).toMatch(/^(?:ask|deny)$/u);
      expect(decision).not.toHaveProperty("suggestion");
    }
    await host[Symbol.asyncDispose]();
  });
});
