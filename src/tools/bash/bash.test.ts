import { expect, test } from "vitest";
import { limitsWith, type ProcessSpec } from "../../core/index.ts";
import { memoryHost, type MemoryHostOptions, type MemoryProgram } from "../../testing/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { bash } from "./bash.ts";

/** Host whose shell is a function of the command text. */
const shell = (
  run: (command: string, io: Parameters<MemoryProgram>[1]) => ReturnType<MemoryProgram>,
): MemoryHostOptions => ({
  programs: { bash: (argv, io) => run(argv.at(-1) ?? "", io) },
});

const saying = (stdout: string, stderr = "", code = 0): MemoryHostOptions =>
  shell((_, io) => {
    if (stdout !== "") io.stdout(stdout);
    if (stderr !== "") io.stderr(stderr);
    return code;
  });

test("what a command prints is the answer, and its facts are in the metadata", async () => {
  const result = await callTool(bash, { command: "echo hi" }, saying("hi\n"));

  expect(result.text).toBe("hi");
  expect(result).toMatchObject({
    isError: false,
    title: "echo hi",
    summary: "exit code 0",
    metadata: { cwd: "/project", exitCode: 0, signal: null, leftRunning: [], printedChars: 3 },
  });
});

test("the host's shell gets the text as it is, without input", async () => {
  const seen: string[][] = [];
  const programs: MemoryHostOptions["programs"] = {
    bash: async (argv, io) => {
      seen.push([...argv]);
      for await (const bytes of io.stdin) io.stdout(bytes);
      return 0;
    },
  };

  await callTool(bash, { command: `echo "$HOME" 'a\nb'` }, { programs });

  expect(seen).toEqual([["/bin/bash", "--norc", "--noprofile", "-c", `echo "$HOME" 'a\nb'`]]);
});

test("standard error stands under a mark", async () => {
  const result = await callTool(bash, { command: "x" }, saying("out\n", "err\n"));

  expect(result.text).toBe("out\n[stderr]\nerr");
  expect([result.stdout, result.stderr]).toEqual(["out\n", "err\n"]);
});

test("a command that fails is an error the model reads, output first", async () => {
  const result = await callTool(bash, { command: "make" }, saying("", "no rule\n", 2));

  expect(result.isError).toBe(true);
  expect(result.text).toBe("[stderr]\nno rule\n(Exit code 2.)");
  expect(result.metadata).toMatchObject({ exitCode: 2 });
});

test.for([
  { code: 137, says: "(No output. Exit code 137, as after SIGKILL.)" },
  { code: 139, says: "(No output. Exit code 139, as after SIGSEGV.)" },
  { code: 128, says: "(No output. Exit code 128.)" },
  { code: 200, says: "(No output. Exit code 200.)" },
])("exit code $code is explained by its usual meaning", async ({ code, says }) => {
  const result = await callTool(bash, { command: "make" }, saying("", "", code));

  expect(result.text).toBe(says);
  expect(result.metadata).toMatchObject({ exitCode: code, signal: null });
});

test("silence is said to be silence", async () => {
  expect((await callTool(bash, { command: "true" }, saying(""))).text).toBe("(No output.)");
});

test("exit code 1 of a search is an answer", async () => {
  const result = await callTool(bash, { command: "grep x a.txt" }, saying("", "", 1));

  expect(result.isError).toBe(false);
  expect(result.text).toBe("(No output. Exit code 1.)");
});

test("what a search begins with fails loudly, and then it is a failure", async () => {
  const input = { command: "cd a && grep x b" };

  const found = await callTool(bash, input, saying("", "", 1));
  const lost = await callTool(bash, input, saying("", "cd: a: No such file or directory\n", 1));

  expect([found.isError, lost.isError]).toEqual([false, true]);
});

test("a signal is named", async () => {
  const result = await callTool(
    bash,
    { command: "x" },
    shell(() => ({ code: null, signal: "SIGSEGV" })),
  );

  expect(result).toMatchObject({ isError: true, summary: "ended by SIGSEGV" });
  expect(result.text).toBe("(No output. Ended by SIGSEGV.)");
});

test("processes left running are named", async () => {
  const result = await callTool(
    bash,
    { command: "sleep 9 & echo hi" },
    shell((_, io) => {
      io.stdout("hi\n");
      return { code: 0, leftRunning: [123, 124] };
    }),
  );

  expect(result.text).toBe("hi\n(Left running: process 123, 124. It ends when the session does.)");
});

const taking = async (ms: number): Promise<string> => {
  const host = memoryHost({
    programs: {
      bash: () => {
        host.control.advance(ms);
        return 0;
      },
    },
  });
  return (await callTool(bash, { command: "x" }, { host })).text;
};

test("a duration is reported from five seconds on", async () => {
  expect(await taking(4999)).toBe("(No output.)");
  expect(await taking(5000)).toBe("(No output. Took 5 s.)");
  expect(await taking(61_250)).toBe("(No output. Took 61.3 s.)");
});

test("a timeout ends the command, and what it printed has been streamed", async () => {
  const host = memoryHost({
    programs: {
      bash: async (_, io) => {
        io.stdout("working\n");
        host.control.advance(2000);
        return 0;
      },
    },
  });
  const streamed: string[] = [];

  const call = callTool(
    { ...bash, run: async (input, context) => bash.run(input, watching(context, streamed)) },
    { command: "sleep 9", timeout: 1500 },
    { host },
  );

  await expect(call).rejects.toMatchObject({
    code: "TIMEOUT",
    message: "The command was stopped after 1.5 s.",
    hint: "Give a longer timeout, at most 600000, or do less at once.",
    data: { endedBy: "timeout", printedChars: 8 },
  });
  expect(streamed).toEqual(["working\n"]);
  expect(await host.proc.list()).toEqual([]);
});

const watching = (
  context: Parameters<typeof bash.run>[1],
  streamed: string[],
): Parameters<typeof bash.run>[1] => ({
  ...context,
  output: { write: (text) => streamed.push(text) },
});

const hanging = (host: ReturnType<typeof memoryHost>, ms: number): MemoryProgram => {
  return (_, io) =>
    new Promise((resolve) => {
      io.signal.addEventListener("abort", () => resolve(0));
      host.control.advance(ms);
    });
};

test("the default timeout is two minutes, and ten at most", async () => {
  const programs: Record<string, MemoryProgram> = {};
  const host = memoryHost({ programs: { bash: (argv, io) => programs["bash"]?.(argv, io) ?? 0 } });
  programs["bash"] = hanging(host, 120_000);

  await expect(callTool(bash, { command: "x" }, { host })).rejects.toMatchObject({
    code: "TIMEOUT",
    message: "The command was stopped after 120 s.",
  });
  await expect(callTool(bash, { command: "x", timeout: 600_001 }, { host })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("an abort ends the command", async () => {
  const controller = new AbortController();
  const host = memoryHost({
    programs: {
      bash: (_, io) =>
        new Promise((resolve) => {
          io.signal.addEventListener("abort", () => resolve(0));
          controller.abort();
        }),
    },
  });

  await expect(
    callTool(bash, { command: "x" }, { host, signal: controller.signal }),
  ).rejects.toMatchObject({
    code: "ABORTED",
    hint: "It may have done part of its work.",
    data: { endedBy: "abort" },
  });
  expect(await host.proc.list()).toEqual([]);
});

test("of a flood the beginning and the end are shown, the rest is counted and kept whole", async () => {
  const block = "0123456789abcde\n".repeat(4096);
  const bench = toolBench(
    shell(async (_, io) => {
      io.stdout("first\n");
      for (let at = 0; at < 4; at++) {
        io.stdout(block);
        // Yields to the reader, as a pipe would.
        await Promise.resolve();
      }
      io.stderr("e".repeat(100_000));
      io.stdout("last\n");
      return 0;
    }),
  );
  const result = await bench.call(bash, { command: "flood" });
  const printed = 6 + 4 * block.length + 100_000 + 5;

  expect(result.text.length).toBeLessThan(30_000);
  expect(result.text.startsWith("first\n0123")).toBe(true);
  expect(result.text).toMatch(/\n\[stdout\]\nlast\n\(/u);
  const [, missing = ""] = /\[… ([\d,]+) characters left out here …\]/u.exec(result.text) ?? [];
  const all = printed.toLocaleString("en-US");
  expect(result.text).toContain(
    `(truncated: ${missing} of ${all} characters left out. The whole is in /`,
  );
  expect(result.metadata).toMatchObject({
    printedChars: printed,
    artifact: { chars: printed + "[stderr]\n\n[stdout]\n".length },
  });
});

test.for([
  { code: 0, share: 0.8 },
  { code: 1, share: 0.2 },
])("of an output that ends with $code the beginning has $share", async ({ code, share }) => {
  const result = await callTool(
    bash,
    { command: "flood" },
    saying(`${"0123456789abcde\n".repeat(8192)}reason\n`, "", code),
  );
  const [before = "", after = ""] = result.text.split("characters left out here …]");
  const tail = after.slice(0, after.lastIndexOf("\n("));

  expect(result.isError).toBe(code === 1);
  expect(before.length / (before.length + tail.length)).toBeCloseTo(share, 2);
  expect(tail).toMatch(/reason$/u);
});

test("output that is not text is named and not shown", async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3]);
  const result = await callTool(
    bash,
    { command: "x" },
    shell((_, io) => {
      io.stdout(png);
      io.stderr("done\n");
      return 0;
    }),
  );

  expect(result.text).toMatchInlineSnapshot(`
    "[stderr]
    done
    [stdout]
    [PNG image, 12 B: not shown. Write it to a file with > to keep it.]"
  `);
});

test("the limits of the kit count", async () => {
  const bench = toolBench({
    ...saying("0123456789\n".repeat(1000)),
    services: { limits: limitsWith({ shownChars: { Bash: 2500 }, bash: { maxTimeoutMs: 10 } }) },
  });

  expect((await bench.call(bash, { command: "x", timeout: 10 })).text.length).toBeLessThan(1300);
  await expect(bench.call(bash, { command: "x", timeout: 11 })).rejects.toMatchObject({
    code: "INVALID_INPUT",
  });
});

test("a command is given five seconds after TERM and two after KILL, or what the kit says", async () => {
  const specs: (ProcessSpec["limits"] | undefined)[] = [];
  const host = memoryHost({ programs: { bash: () => 0 } });
  const start = host.proc.start.bind(host.proc);
  host.proc.start = async (spec, options) => {
    specs.push(spec.limits);
    return await start(spec, options);
  };
  const given = limitsWith({ bash: { terminateMs: 10, killMs: 20 } });

  await callTool(bash, { command: "x" }, { host });
  await callTool(bash, { command: "x" }, { host, services: { limits: given } });

  expect(specs).toEqual([
    { terminateMs: 5000, killMs: 2000, timeoutMs: 120_000 },
    { terminateMs: 10, killMs: 20, timeoutMs: 120_000 },
  ]);
});

test("where nothing can run in the background, that is said before anybody is asked", async () => {
  const input = { command: "npm start", run_in_background: true };

  expect(await toolBench().effects(bash, input)).toEqual([]);
  await expect(callTool(bash, input)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("characters cut by a chunk are put together, on each stream alone", async () => {
  const [one, two] = [Uint8Array.from([0xc3]), Uint8Array.from([0xa9])];
  const result = await callTool(
    bash,
    { command: "x" },
    shell((_, io) => {
      io.stdout(one);
      io.stderr(one);
      io.stdout(two);
      io.stderr(two);
      return 0;
    }),
  );

  expect(result.text).toBe("\u00E9\n[stderr]\n\u00E9");
});

test("a host without the shell says so", async () => {
  await expect(callTool(bash, { command: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("what a command touches is declared, and what may do more says so", async () => {
  expect(await toolBench().effects(bash, { command: "rm x" })).toMatchObject([
    { kind: "execute", argv: ["rm", "x"], consequences: "listed" },
    { kind: "write", path: "/project/x", change: "delete" },
  ]);
  expect(await toolBench().effects(bash, { command: "npm test" })).toMatchObject([
    { kind: "execute", argv: ["npm", "test"], consequences: "open" },
    { kind: "unknown", origin: "npm" },
  ]);
  expect(await toolBench().effects(bash, { command: "cat a", cwd: "sub" })).toContainEqual(
    expect.objectContaining({ kind: "read", path: "/project/sub/a" }),
  );
});

test.for([
  { command: "x=1", effects: [] },
  { command: "# nothing", effects: [] },
  { command: "[[ -f a ]]", effects: [] },
  { command: "> made", effects: [{ kind: "write", path: "/project/made" }] },
])("$command starts no program, yet takes a shell that does only that", async (row) => {
  const result = await callTool(bash, { command: row.command }, saying(""));

  expect(result.effects).toMatchObject([
    ...row.effects,
    { kind: "execute", argv: ["bash", "-c", row.command], consequences: "listed" },
  ]);
});

test("only a command a person would read is offered as a rule", () => {
  expect(bash.suggestRule?.({ command: "npm test" })).toBe("Bash(npm test)");
  expect(bash.suggestRule?.({ command: "cat <<E\nx\nE" })).toBeUndefined();
  expect(bash.suggestRule?.({ command: "x".repeat(201) })).toBeUndefined();
});

test.for(
  toolContract(bash, [{ name: "a command", input: { command: "echo hi" }, ...saying("hi\n") }]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
