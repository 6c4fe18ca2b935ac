import { describe, expect, test } from "vitest";
import { encode, first, type World, collect } from "./world.ts";

/** Programs: started, read, written to, ended. */
export function processContract(world: World): void {
  describe("processes", () => {
    test("a program's output and exit arrive in order, once", async () => {
      await world().start("a", ["echo", "hello", "there"]);
      const { stdout, exit, seqs } = await world().finish("a");

      expect(stdout).toBe("hello there\n");
      expect(exit).toMatchObject({ code: 0, signal: null, leftRunning: [] });
      expect(exit.endedBy).toBeUndefined();
      expect(seqs).toEqual(Array.from(new Set(seqs)).toSorted((a, b) => a - b));
    });

    test("what was printed can be read again, from anywhere", async () => {
      await world().start("a", ["echo", "hello"]);
      const whole = await world().finish("a");
      const firstSeq = whole.seqs[0] ?? -1;
      const rest = await world().finish("a", firstSeq);

      expect(await world().finish("a")).toEqual(whole);
      expect(rest.stdout).toBe("");
      expect(rest.exit).toEqual(whole.exit);
    });

    test("a failing program gives its code, stderr stays apart", async () => {
      await world().start("a", ["false"]);
      await world().start("b", ["ls", "/does/not/exist"]);
      const listed = await world().finish("b");

      expect((await world().finish("a")).exit.code).toBe(1);
      expect(listed.exit.code).toBe(2);
      expect(listed.stdout).toBe("");
      expect(listed.stderr).not.toBe("");
    });

    test("cwd and env are what was asked for", async () => {
      await world().host.fs.mkdir(world().at("sub"));
      await world().start("a", ["pwd"], { cwd: world().at("sub") });
      await world().start("b", ["printenv", "ANSWER"], { env: { ANSWER: "forty-two" } });

      expect((await world().finish("a")).stdout).toBe(`${world().at("sub")}\n`);
      expect((await world().finish("b")).stdout).toBe("forty-two\n");
    });

    test.for([
      { argv: ["no-such-program-anywhere"], cwd: "", code: "NOT_FOUND" },
      { argv: ["echo"], cwd: "missing", code: "NOT_FOUND" },
      { argv: ["echo"], cwd: "file", code: "NOT_A_DIRECTORY" },
    ])("starting $argv in '$cwd' is $code", async ({ argv, cwd, code }) => {
      await world().put("file", "x");

      await expect(
        world().start("a", argv, { cwd: `${world().root}/${cwd}` }),
      ).rejects.toMatchObject({
        code,
      });
      expect(await world().host.proc.list()).toEqual([]);
    });

    test("an id that runs is not started again", async () => {
      const spec = { id: "a", argv: ["sleep", "30"], cwd: world().root };
      const [one, two] = await Promise.all([
        world().host.proc.start(spec),
        world().host.proc.start(spec),
      ]);

      expect(two).toEqual(one);
      expect(await world().host.proc.list()).toEqual([one]);
    });

    test("an id whose process ended starts a new one", async () => {
      await world().start("a", ["echo", "one"]);
      await world().finish("a");
      await world().start("a", ["echo", "two"]);

      expect((await world().finish("a")).stdout).toBe("two\n");
      expect(await world().host.proc.list()).toEqual([]);
    });

    test("stdin is empty unless asked for", async () => {
      await world().start("a", ["cat"]);

      expect((await world().finish("a")).stdout).toBe("");
      await world().start("b", ["sleep", "30"]);
      await expect(world().host.proc.write("b", encode("x"))).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    });

    test("what is written arrives, and eof ends it", async () => {
      await world().start("a", ["cat"], { stdin: "pipe" });
      await world().host.proc.write("a", encode("one "));
      await world().host.proc.write("a", encode("two"));
      await world().host.proc.write("a", "eof");

      expect((await world().finish("a")).stdout).toBe("one two");
      await expect(world().host.proc.write("a", encode("x"))).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test.for(["TERM", "KILL", "INT"] as const)("%s ends it and says so", async (signal) => {
      await world().start("a", ["sleep", "30"]);
      await world().host.proc.signal("a", signal);
      const { exit } = await world().finish("a");

      expect(exit).toMatchObject({ code: null, signal: `SIG${signal}` });
      expect(exit.endedBy).toBeUndefined();
      expect(await world().host.proc.list()).toEqual([]);
    });

    test("aborting the start signal ends it, and says why", async () => {
      const stop = new AbortController();
      await world().host.proc.start(
        { id: "a", argv: ["sleep", "30"], cwd: world().root },
        { signal: stop.signal },
      );
      stop.abort();

      expect((await world().finish("a")).exit).toMatchObject({ code: null, endedBy: "abort" });
    });

    test("an aborted signal starts nothing", async () => {
      await expect(
        world().host.proc.start(
          { id: "a", argv: ["sleep", "30"], cwd: world().root },
          { signal: AbortSignal.abort() },
        ),
      ).rejects.toMatchObject({ code: "ABORTED" });
      expect(await world().host.proc.list()).toEqual([]);
    });

    test("aborting a reader ends the reading, not the process", async () => {
      const stop = new AbortController();
      await world().start("a", ["sleep", "30"]);
      const reading = collect(world().host.proc.output("a", 0, { signal: stop.signal }));
      stop.abort();

      await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
      expect(await world().host.proc.list()).toHaveLength(1);
    });

    test("too much output ends it", async () => {
      await world().start("a", ["yes"], { limits: { maxOutputBytes: 100_000 } });

      expect((await world().finish("a")).exit).toMatchObject({
        code: null,
        endedBy: "output-limit",
      });
    });

    test("a late reader learns how much was dropped", async () => {
      const limit = 3_000_000;
      await world().start("a", ["yes"], { limits: { maxOutputBytes: limit } });
      while ((await world().host.proc.list()).length > 0) {
        await new Promise((resolve) => {
          setTimeout(resolve, 2);
        });
      }
      const { stdout, lost } = await world().finish("a");

      expect(lost).toBeGreaterThan(1_000_000);
      expect(stdout.length).toBeLessThan(1_200_000);
      expect(lost + stdout.length).toBeGreaterThan(limit);
    });

    test("an unknown id is NOT_FOUND", async () => {
      const { proc } = world().host;

      await expect(first(proc.output("none", 0))).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(proc.signal("none", "TERM")).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(proc.write("none", "eof")).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });
}
