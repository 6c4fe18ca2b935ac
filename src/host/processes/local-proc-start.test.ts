import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { ProcessSpec } from "../../core/index.ts";
import { environment, patience, procWorld } from "../../../test/support/proc-world.ts";
import type { SpawnHelper } from "./launch/local-launcher.ts";
import { LocalProc } from "./local-proc.ts";
import { startTokenOf } from "./process-scan.ts";

const world = procWorld();
const { sh, finish } = world;

/** Both ways of starting a program must behave the same. */
describe.each<SpawnHelper>(["never", "always"])("with a helper process: %s", (chosen) => {
  beforeAll(() => {
    world.helper = chosen;
  });

  describe("the environment", () => {
    test("is the host's own with what was asked for, or only what was asked to be kept", async () => {
      const own = new LocalProc({
        environment: { ...environment, BASH_ENV: "/x", LC_ALL: "C", LC_TIME: "C", TZ: "UTC" },
        patience,
        launcher: world.launcher,
      });
      const names = async (id: string, more: Partial<ProcessSpec>): Promise<readonly string[]> => {
        await own.start({ id, argv: ["/usr/bin/env"], cwd: world.root, ...more });
        let text = "";
        for await (const chunk of own.output(id, 0)) {
          if ("bytes" in chunk) text += Buffer.from(chunk.bytes).toString();
        }
        const kept = ["BASH_ENV", "LC_ALL", "LC_TIME", "TZ", "PATH", "ADDED"];
        return kept.filter((name) => text.includes(`${name}=`));
      };

      expect(await names("all", {})).toEqual(["BASH_ENV", "LC_ALL", "LC_TIME", "TZ", "PATH"]);
      expect(await names("some", { keepEnv: ["LC_*", "PATH"] })).toEqual([
        "LC_ALL",
        "LC_TIME",
        "PATH",
      ]);
      expect(await names("added", { keepEnv: ["TZ"], env: { ADDED: "1" } })).toEqual([
        "TZ",
        "ADDED",
      ]);
      expect(await names("none", { keepEnv: [] })).toEqual([]);
      await own.dispose();
    });
  });

  describe("starting", () => {
    test("a missing program has a hint", async () => {
      const failure = sh("", { argv: ["no-such-program"] });

      await expect(failure).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "There is no program no-such-program.",
        hint: "Check its name, give its absolute path, or install it.",
      });
      await expect(sh("", { argv: [] })).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(sh("", { argv: ["echo", "a\0b"] })).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    });

    test("a file that may not be executed is ACCESS_DENIED", async () => {
      writeFileSync(`${world.root}/script`, "#!/bin/sh\necho hi\n");
      chmodSync(`${world.root}/script`, 0o644);

      await expect(sh("", { argv: [`${world.root}/script`] })).rejects.toMatchObject({
        code: "ACCESS_DENIED",
        hint: "Make it executable, or start it through its interpreter.",
      });
      await expect(sh("", { argv: [world.root] })).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    });

    test("too long arguments are TOO_LARGE", async () => {
      await expect(sh("", { argv: ["echo", "x".repeat(5_000_000)] })).rejects.toMatchObject({
        code: "TOO_LARGE",
      });
    });

    test("a directory that became a link is PATH_CHANGED, and nothing starts", async () => {
      mkdirSync(`${world.root}/elsewhere`);
      symlinkSync("elsewhere", `${world.root}/planted`);

      await expect(sh("touch file", { cwd: `${world.root}/planted` })).rejects.toMatchObject({
        code: "PATH_CHANGED",
      });
      expect(readdirSync(`${world.root}/elsewhere`)).toEqual([]);
    });

    test("the environment is the host's, the call's and a mark", async () => {
      const { stdout } = await sh("env", { env: { ANSWER: "42", HAFT_PROCESS: "forged" } });
      const names = stdout
        .trim()
        .split("\n")
        .map((line) => line.slice(0, line.indexOf("=")));

      expect(names.toSorted()).toEqual(["ANSWER", "HAFT_PROCESS", "PATH", "PWD"]);
      expect(stdout).toContain("ANSWER=42\n");
      expect(stdout).toContain(`PWD=${world.root}\n`);
      expect(stdout).not.toContain("forged");
    });

    test("a program leads its own group and session, and has no terminal", async () => {
      const { stdout } = await sh('cut -d" " -f1,5,6,7 /proc/$$/stat; echo $$');
      const [fields = "", pid = ""] = stdout.trim().split("\n");

      expect(fields).toBe(`${pid} ${pid} ${pid} 0`);
    });

    test("a program is known by its start token until it has ended", async () => {
      const one = await world.proc.start({ id: "one", argv: ["sleep", "30"], cwd: world.root });
      const short = await world.proc.start({ id: "short", argv: ["true"], cwd: world.root });
      const other = startTokenOf(process.pid);

      expect(startTokenOf(one.pid)).toBe(one.startToken);
      expect(one.startToken).toMatch(/^[0-9a-f-]{36}\/\d+$/u);
      expect(short.startToken).toMatch(/^[0-9a-f-]{36}\/\d+$/u);
      expect(other).not.toBe(one.startToken);
      await world.proc.signal("one", "KILL");
      await finish("one");
      expect(startTokenOf(one.pid)).toBeUndefined();
    });

    test("a failed start leaves its id free", async () => {
      await expect(sh("", { id: "a", argv: ["no-such-program"] })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });

      expect((await sh("echo hi", { id: "a" })).stdout).toBe("hi\n");
    });
  });
});
