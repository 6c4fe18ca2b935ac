import { expect, test } from "vitest";
import { narrowHost, type NarrowedHost } from "../../src/grant/index.ts";
import { type Host, type HostProc, type ProcessChunk } from "../../src/core/index.ts";
import { encode, execute, grantOf, narrowedWorld } from "./narrowed-world.ts";

interface Reading {
  readonly narrowed: NarrowedHost;
  /** How many readings of it are open. */
  readonly open: () => number;
}

/** A host whose program prints endlessly. */
function printing(): Reading {
  let open = 0;
  async function* output(): AsyncGenerator<ProcessChunk> {
    open += 1;
    try {
      for (let seq = 1; ; seq += 1) yield { seq, stream: "stdout", bytes: encode("a") };
    } finally {
      open -= 1;
    }
  }
  const base = narrowedWorld();
  const proc: HostProc = {
    output,
    start: (spec) => base.proc.start(spec),
    write: (process, bytes) => base.proc.write(process, bytes),
    signal: (process, name) => base.proc.signal(process, name),
    list: () => base.proc.list(),
  };
  const { id, info, fs, net, search, clock } = base;
  const close = async (): Promise<void> => await base[Symbol.asyncDispose]();
  const host: Host = { id, info, fs, net, search, clock, proc, [Symbol.asyncDispose]: close };
  const narrowed = narrowHost(host, { grant: grantOf([execute]), cwd: "/project" });
  return { narrowed, open: () => open };
}

test("when a call ends, its reads of a program's output are released", async () => {
  const { narrowed, open } = printing();
  const reading = narrowed.host.proc.output("p", 0)[Symbol.asyncIterator]();
  expect(await reading.next()).toMatchObject({ value: { seq: 1 } });
  expect(open()).toBe(1);
  narrowed.revoke();

  await expect(reading.next()).rejects.toMatchObject({ code: "ABORTED" });
  expect(open()).toBe(0);
});

test("who leaves before the first chunk opens nothing, then or later", async () => {
  const { narrowed, open } = printing();
  const reading = narrowed.host.proc.output("p", 0)[Symbol.asyncIterator]();
  await reading.return?.();

  expect(await reading.next()).toEqual({ done: true, value: undefined });
  expect(open()).toBe(0);
});

test("who stops reading has what is read closed", async () => {
  const { narrowed, open } = printing();
  for await (const chunk of narrowed.host.proc.output("p", 0)) {
    expect(open()).toBe(1);
    if (chunk.seq === 2) break;
  }

  expect(open()).toBe(0);
});

test("what was not declared is refused to who reads, not to who asks", async () => {
  const { host } = narrowHost(narrowedWorld(), { grant: grantOf([]), cwd: "/project" });
  const reading = host.proc.output("p", 0)[Symbol.asyncIterator]();

  await expect(reading.next()).rejects.toMatchObject({ code: "UNDECLARED_EFFECT" });
  expect(await reading.return?.()).toEqual({ done: true, value: undefined });
});
