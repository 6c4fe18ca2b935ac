import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, type Kit, type Outcome, type ToolkitOptions } from "../../src/index.ts";
import { drivers, probeDriver } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

leaveNothing();

// Holes that other systems had, each tried here through the whole kit and in each sandbox that works.

const at = temporaryFolder("holes");
let kits: Kit[] = [];
beforeEach(() => {
  for (const name of ["work/secrets", "work-next", "outside", "home"]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("work/secrets/key"), "the secret");
  writeFileSync(at("outside/file"), "kept");
  git("init", "-q", at("work"));
  git("-C", at("work"), "commit", "-q", "--allow-empty", "-m", "first");
});
afterEach(async () => {
  for (const kit of kits.splice(0)) await kit.dispose();
});

function git(...words: readonly string[]): string {
  const who = ["-c", "user.name=haft", "-c", "user.email=haft@localhost"];
  return execFileSync("git", [...who, ...words], { encoding: "utf8" });
}

/** Any command may run, and nobody is there to allow more. */
async function open(driver: string, options: ToolkitOptions = {}): Promise<Kit> {
  const kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    mode: "acceptEdits",
    rules: { allow: ["Bash(*)"] },
    sandbox: { driver },
    ...options,
  });
  kits.push(kit);
  return kit;
}

/** A program whose text says nothing of what it does. */
async function runs(kit: Kit, code: string, more: object = {}): Promise<Outcome> {
  const name = at(`work/program-${kits.length}.cjs`);
  writeFileSync(name, `const fs = require("node:fs"); ${code}`);
  return await kit.call({ name: "Bash", input: { command: `node ${name}`, ...more } });
}

/** Gaps that a driver names. */
function gapsOf(outcome: Outcome | undefined): readonly string[] {
  const sandbox = outcome?.metadata["sandbox"] as { readonly gaps?: readonly string[] } | undefined;
  return sandbox?.gaps ?? [];
}

const tried = await Promise.all(
  drivers
    .filter(({ name }) => name === "bwrap" || name === "landlock")
    .map(async (driver) => ({ name: driver.name, ...(await probeDriver(driver)) })),
);

describe.each(tried)("in $name", { timeout: 60_000 }, ({ name, works, missing }) => {
  test.skipIf(works)("nothing is tried here, and it says why", () => {
    expect(missing?.reason).toMatch(/./u);
  });

  test.skipIf(!works)(
    "CVE-2026-39861: a tool outside follows no link a command has planted",
    async () => {
      const kit = await open(name);
      const planted = await runs(
        kit,
        `fs.symlinkSync(${JSON.stringify(at("outside"))}, "folder"); fs.symlinkSync(${JSON.stringify(at("outside/file"))}, "link")`,
      );

      const outcomes = [
        await kit.call({ name: "Write", input: { file_path: "folder/made", content: "x" } }),
        await kit.call({
          name: "Write",
          input: { file_path: "link", content: "x", overwrite: true },
        }),
        await kit.call({
          name: "Edit",
          input: { file_path: "link", old_string: "kept", new_string: "x" },
        }),
      ];

      expect(planted.status).toBe("ok");
      expect(lstatSync(at("work/link")).isSymbolicLink()).toBe(true);
      expect(outcomes.map(({ status }) => status)).not.toContain("ok");
      expect(existsSync(at("outside/made"))).toBe(false);
      expect(readFileSync(at("outside/file"), "utf8")).toBe("kept");
    },
  );

  test.skipIf(!works)(
    "CVE-2026-39861: nor one that is put in the way while a person thinks",
    async () => {
      mkdirSync(at("work/folder"));
      const questions: string[] = [];
      const kit = await open(name, {
        rules: { ask: ["Write"] },
        onAsk: async ({ question }) => {
          questions.push(question);
          if (questions.length > 1) return { kind: "deny" };
          rmSync(at("work/folder"), { recursive: true, force: true });
          symlinkSync(at("outside"), at("work/folder"));
          return { kind: "once" };
        },
      });

      const outcome = await kit.call({
        name: "Write",
        input: { file_path: "folder/made", content: "x" },
      });

      // It is another file then, which is asked about by its own name.
      expect(outcome.status).toBe("denied");
      expect(questions).toEqual([expect.anything(), expect.stringContaining(at("outside/made"))]);
      expect(existsSync(at("outside/made"))).toBe(false);
    },
  );

  test.skipIf(!works).for([".claude/settings.json", ".mcp.json", ".vscode/tasks.json", ".envrc"])(
    "CVE-2026-25725: settings that were missing are not planted in silence: %s",
    async (file) => {
      const kit = await open(name);

      const outcome = await runs(
        kit,
        `fs.mkdirSync(require("node:path").dirname("${file}"), { recursive: true }); fs.writeFileSync("${file}", "{}")`,
      );

      // It is not there, or it is reported, by its own name or that of its new folder.
      const [named = ""] = file.split("/");
      expect(existsSync(at(`work/${file}`)) && !outcome.text.includes(named)).toBe(false);
    },
  );

  test.skipIf(!works).for([
    {
      what: "a hook",
      code: `fs.writeFileSync(".git/hooks/post-commit", payload, { mode: 0o755 })`,
    },
    {
      what: "its settings",
      code: `fs.appendFileSync(".git/config", "[core]\\n\\tfsmonitor = ./payload\\n")`,
    },
    {
      what: "a repository in place of it",
      code: `fs.renameSync(".git", "old"); fs.cpSync("old", ".git", { recursive: true }); fs.writeFileSync(".git/hooks/post-commit", payload, { mode: 0o755 })`,
    },
  ])("CVE-2026-26268: git outside runs nothing of a command's: $what", async ({ code }) => {
    const kit = await open(name);
    const payload = `#!/bin/sh\necho x > ${at("outside/ran")}\n`;
    writeFileSync(at("work/payload"), payload);
    chmodSync(at("work/payload"), 0o755);

    const outcome = await runs(kit, `const payload = ${JSON.stringify(payload)}; ${code}`);
    git("-C", at("work"), "status");
    git("-C", at("work"), "commit", "-q", "--allow-empty", "-m", "second");

    const isAdmitted = gapsOf(outcome).includes("protected-paths");
    expect(existsSync(at("outside/ran")) && !isAdmitted).toBe(false);
    expect(isAdmitted).toBe(name === "landlock");
  });

  test.skipIf(!works).for([
    { what: "a call's folder", command: "node program.cjs", cwd: "outside" },
    { what: "a link to it", command: "node program.cjs", cwd: "work/link" },
    { what: "a command's own way there", command: "cd ../outside && node ../work/program.cjs" },
  ])("CVE-2025-59532: the model's folder opens nothing: $what", async ({ command, cwd }) => {
    symlinkSync(at("outside"), at("work/link"));
    writeFileSync(at("work/program.cjs"), `require("node:fs").writeFileSync("made", "x")`);
    const kit = await open(name, { mode: "bypassPermissions" });

    const outcomes = [
      await kit.call({ name: "Bash", input: { command, ...(cwd && { cwd: at(cwd) }) } }),
      await kit.call({ name: "Bash", input: { command: "pwd" } }),
    ];

    expect(outcomes.map(({ status }) => status)).toEqual([
      expect.stringMatching(/failed|denied/u),
      "ok",
    ]);
    expect(outcomes[1]?.text.split("\n")[0]).toBe(at("work"));
    expect(existsSync(at("outside/made"))).toBe(false);
  });

  test.skipIf(!works)(
    "CVE-2026-25724, CVE-2025-53109: a deny holds by every name of what it denies",
    async () => {
      symlinkSync("secrets", at("work/alias"));
      symlinkSync(at("work/secrets/key"), at("outside/way"));
      const kit = await open(name, { rules: { allow: ["Bash(*)"], deny: ["Read(secrets/**)"] } });

      const outcomes = [
        await kit.call({ name: "Read", input: { file_path: "alias/key" } }),
        await kit.call({ name: "Read", input: { file_path: at("outside/way") } }),
        await kit.call({ name: "Grep", input: { pattern: "secret", path: "alias" } }),
        await kit.call({ name: "Grep", input: { pattern: "the .*t", output_mode: "content" } }),
        await kit.call({ name: "Bash", input: { command: "cat alias/key" } }),
        await runs(kit, `console.log(fs.readFileSync("alias/key", "utf8"))`),
        await runs(
          kit,
          `console.log(fs.readFileSync(${JSON.stringify(at("outside/way"))}, "utf8"))`,
        ),
      ];

      // A program reads what no driver can hide there; that is a gap it names.
      const isAdmitted = gapsOf(outcomes[5]).includes("hidden-inside");
      const told = isAdmitted ? outcomes.slice(0, 5) : outcomes;
      expect(told.map(({ text }) => text).join("\n")).not.toContain("the secret");
      expect(isAdmitted).toBe(name === "landlock");
      expect(readFileSync(at("work/secrets/key"), "utf8")).toBe("the secret");
    },
  );

  test.skipIf(!works)(
    "CVE-2025-53109: a directory next to the workspace does not belong to it, whatever its name",
    async () => {
      const kit = await open(name);

      const outcomes = [
        await kit.call({
          name: "Write",
          input: { file_path: "../work-next/made", content: "x" },
        }),
        await kit.call({
          name: "Write",
          input: { file_path: at("work-next/made"), content: "x" },
        }),
        await runs(kit, `fs.writeFileSync("../work-next/made", "x")`),
      ];

      expect(outcomes.map(({ status }) => status)).not.toContain("ok");
      expect(existsSync(at("work-next/made"))).toBe(false);
    },
  );
});
