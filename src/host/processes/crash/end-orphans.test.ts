import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { procWorld } from "../../../../test/support/proc-world.ts";
import type { ProcessRef } from "../../../core/index.ts";
import { endTree } from "./end-orphans.ts";
import { processEntry } from "../process-scan.ts";

const world = procWorld();
const patience = { terminateMs: 300, killMs: 2000 };

/** Starts a command that prints when it is ready, and returns what a later host would know of it. */
async function left(text: string): Promise<ProcessRef & { readonly tree: string }> {
  const ref = await world.proc.start({
    id: text,
    argv: ["/bin/sh", "-c", text],
    cwd: world.root,
  });
  const { tree } = ref;
  if (tree === undefined) throw new Error("It has no name.");
  for await (const chunk of world.proc.output(text, 0)) {
    if ("exit" in chunk || Buffer.from(chunk.bytes).includes("ready")) break;
  }
  return { ...ref, tree };
}

const file = (name: string): string => `${world.root}/${name}`;
const isThere = (pid: number): boolean => processEntry(pid) !== undefined;

test.skipIf(process.platform !== "linux")(
  "who comes later ends a program gently, and what made a session of its own",
  async () => {
    const { pid, tree } = await left(
      `trap 'echo bye >${file("bye")}; exit' TERM; setsid sh -c 'echo $$ >${file("own")}; exec sleep 60' &
       while [ ! -s ${file("own")} ]; do sleep 0.01; done; echo ready; while :; do sleep 0.01; done`,
    );
    const own = Number(readFileSync(file("own"), "utf8"));
    expect([isThere(pid), isThere(own)]).toEqual([true, true]);

    expect(await endTree(tree, { terminateMs: 30_000, killMs: 0 })).toBe(true);

    expect([isThere(pid), isThere(own)]).toEqual([false, false]);
    expect(readFileSync(file("bye"), "utf8")).toBe("bye\n");
    expect(await endTree(tree, patience)).toBe(true);
  },
);

test.skipIf(process.platform !== "linux")(
  "what takes no notice is killed, also where its program has gone before it",
  async () => {
    const { pid, tree } = await left(
      `setsid sh -c "trap '' TERM; echo \\$\\$ >${file("own")}; while :; do sleep 0.01; done" &
       while [ ! -s ${file("own")} ]; do sleep 0.01; done; echo ready`,
    );
    const own = Number(readFileSync(file("own"), "utf8"));
    await expect.poll(() => isThere(pid)).toBe(false);

    expect(await endTree(tree, patience)).toBe(true);

    expect(isThere(own)).toBe(false);
  },
);

test.skipIf(process.platform !== "linux").for([
  { because: "the machine was restarted", of: (tree: string) => tree.replace(/^[^/]*/u, "old") },
  { because: "it is not a valid name", of: () => "something else" },
  {
    because: "its pid names another now",
    // Names a later program with the same pid: both start time and tag differ.
    of: (tree: string) =>
      tree.replace(/\/(\d+)\//u, (_, ticks: string) => `/${Number(ticks) + 1}/`) + "0",
  },
])("nobody is signalled where $because", async ({ of }) => {
  const { pid, tree } = await left(`trap 'touch ${file("asked")}' TERM; echo ready; sleep 60`);

  expect(await endTree(of(tree), patience)).toBe(true);

  expect(isThere(pid)).toBe(true);
  expect(existsSync(file("asked"))).toBe(false);
  expect(await endTree(tree, patience)).toBe(true);
  expect(isThere(pid)).toBe(false);
});
