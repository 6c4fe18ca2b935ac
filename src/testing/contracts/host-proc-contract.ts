import type { Host, ProcessChunk, ProcessExit, ProcessSpec } from "../../core/index.ts";
import type { ContractCheck } from "../tool-contract.ts";
import {
  all,
  checksOf,
  decoded,
  encoded,
  refused,
  requireTrue,
  same,
  type Law,
  type ContractHost,
} from "./requirements.ts";

type World = Pick<Host, "proc"> & ContractHost;

/**
 * Requirements on the processes of every host. `open` opens one with an empty directory for each check; the host has
 * the programs `echo`, `cat`, `false`, `pwd`, `printenv` and `sleep`.
 *
 * @example
 * const host = await localHost();
 * const open = async () => ({ proc: host.proc, root: await mkdtemp("/tmp/check-") });
 * for (const { name, run } of hostProcContract("local", open)) test(name, run);
 */
export function hostProcContract(
  name: string,
  open: () => Promise<Pick<Host, "proc"> & ContractHost>,
): readonly ContractCheck[] {
  return checksOf(name, open, laws);
}

const laws: readonly Law<World>[] = [
  {
    name: "output and exit arrive in order, once, and can be read again from anywhere",
    async check(world) {
      await start(world, "a", { argv: ["echo", "hello", "there"] });
      const chunks = await all(world.proc.output("a", 0));
      const { stdout, exit } = read(chunks);
      same(stdout, "hello there\n", "output");
      same([exit?.code, exit?.signal, exit?.endedBy], [0, null, undefined], "exit");
      const places = chunks.map(({ seq }) => seq);
      same(
        places.toSorted((one, other) => one - other),
        places,
        "order",
      );
      same(read(await all(world.proc.output("a", 0))), { stdout, exit }, "second reading");
      const rest = read(await all(world.proc.output("a", places[0] ?? 0)));
      same(rest, { stdout: "", exit }, "reading from the end");
    },
  },
  {
    name: "a program that fails has its code",
    async check(world) {
      await start(world, "a", { argv: ["false"] });
      same((await finish(world, "a")).exit?.code, 1, "code");
    },
  },
  {
    name: "directory and variables are those of the request",
    async check(world) {
      await start(world, "a", { argv: ["pwd"] });
      same((await finish(world, "a")).stdout, `${world.root}\n`, "directory");
      await start(world, "b", { argv: ["printenv", "ANSWER"], env: { ANSWER: "forty-two" } });
      same((await finish(world, "b")).stdout, "forty-two\n", "variable");
    },
  },
  {
    name: "what cannot be started is NOT_FOUND, and nothing runs",
    async check(world) {
      await refused(start(world, "a", { argv: ["no-such-program-anywhere"] }), ["NOT_FOUND"]);
      await refused(start(world, "b", { argv: ["echo"], cwd: `${world.root}/missing` }), [
        "NOT_FOUND",
      ]);
      same(await world.proc.list(), [], "running");
    },
  },
  {
    name: "an id that runs is not started again; one that ended is",
    async check(world) {
      const spec = { id: "a", argv: ["cat"], cwd: world.root, stdin: "pipe" } as const;
      const [one, two] = await Promise.all([world.proc.start(spec), world.proc.start(spec)]);
      same(two, one, "process");
      same(await world.proc.list(), [one], "running");
      await world.proc.write("a", "eof");
      await finish(world, "a");
      await start(world, "a", { argv: ["echo", "two"] });
      same((await finish(world, "a")).stdout, "two\n", "output");
    },
  },
  {
    name: "what is written arrives until its end; without stdin nothing can be written",
    async check(world) {
      await start(world, "a", { argv: ["cat"], stdin: "pipe" });
      await world.proc.write("a", encoded("one "));
      await world.proc.write("a", encoded("two"));
      await world.proc.write("a", "eof");
      same((await finish(world, "a")).stdout, "one two", "output");
      await refused(world.proc.write("a", encoded("x")), ["NOT_FOUND"]);
      await start(world, "b", { argv: ["sleep", "30"] });
      await refused(world.proc.write("b", encoded("x")), ["INVALID_INPUT"]);
      await world.proc.signal("b", "KILL", { tree: true });
      await finish(world, "b");
    },
  },
  {
    name: "a signal ends a program, and its exit says so",
    async check(world) {
      for (const signal of ["TERM", "INT", "KILL"] as const) {
        await start(world, signal, { argv: ["sleep", "30"] });
        await world.proc.signal(signal, signal);
        const { exit } = await finish(world, signal);
        same([exit?.code, exit?.signal, exit?.endedBy], [null, `SIG${signal}`, undefined], signal);
      }
      same(await world.proc.list(), [], "running");
    },
  },
  {
    name: "an abort ends a program, and its exit says why",
    async check(world) {
      const ending = new AbortController();
      const spec = { id: "a", argv: ["sleep", "30"], cwd: world.root };
      await world.proc.start(spec, { signal: ending.signal });
      ending.abort();
      same((await finish(world, "a")).exit?.endedBy, "abort", "why it ended");
      await refused(world.proc.start({ ...spec, id: "b" }, { signal: ending.signal }), ["ABORTED"]);
    },
  },
  {
    name: "who stops reading may begin again, and the program continues",
    async check(world) {
      await start(world, "a", { argv: ["cat"], stdin: "pipe" });
      await world.proc.write("a", encoded("one\n"));
      let seen = 0;
      for await (const { seq } of world.proc.output("a", 0)) {
        seen = seq;
        break;
      }
      requireTrue((await world.proc.list()).length === 1, "the program ended with its reader");
      await world.proc.write("a", encoded("two\n"));
      await world.proc.write("a", "eof");
      same(read(await all(world.proc.output("a", seen))).stdout, "two\n", "output");
    },
  },
];

async function start(
  { proc, root }: World,
  id: string,
  spec: Partial<ProcessSpec> & Pick<ProcessSpec, "argv">,
): Promise<void> {
  await proc.start({ id, cwd: root, ...spec });
}

interface Printed {
  readonly stdout: string;
  readonly exit: ProcessExit | undefined;
}

async function finish({ proc }: World, id: string): Promise<Printed> {
  return read(await all(proc.output(id, 0)));
}

function read(chunks: readonly ProcessChunk[]): Printed {
  const texts = chunks.map((chunk) =>
    "exit" in chunk || chunk.stream === "stderr" ? "" : (decoded(chunk.bytes) ?? ""),
  );
  const last = chunks.at(-1);
  return { stdout: texts.join(""), exit: last && "exit" in last ? last.exit : undefined };
}
