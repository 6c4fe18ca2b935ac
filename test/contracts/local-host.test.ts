import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { narrowHost } from "../../src/grant/index.ts";
import { type Effect, type Grant } from "../../src/core/index.ts";
import { localHost, type LocalHostOptions } from "../../src/host/index.ts";
import type { HostWorld } from "./host/world.ts";
import { hostContract } from "./host-contract.ts";

async function localWorld(options: LocalHostOptions = {}): Promise<HostWorld> {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-host-"));
  const host = await localHost(options);
  return {
    host,
    root,
    link: (at, target) => symlinkSync(target, at),
    fifo: (at) => {
      execFileSync("mkfifo", [at]);
    },
    async dispose() {
      await host[Symbol.asyncDispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

hostContract("local", async () => localWorld({ launching: { helper: "never" } }));

hostContract("local, with a helper process", async () =>
  localWorld({ launching: { helper: "always" } }),
);

hostContract("local, searching without ripgrep", async () => localWorld({ ripgrep: "none" }), {
  isSearchOnly: true,
});

hostContract(
  "local, narrowed",
  async () => {
    const world = await localWorld();
    const effects: readonly Effect[] = [
      { kind: "write", path: world.root, scope: "tree", change: "any" },
      {
        kind: "execute",
        argv: ["sh"],
        assigns: [],
        via: [],
        consequences: "open",
        span: { start: 0, end: 2 },
      },
      { kind: "connect", host: "127.0.0.1" },
    ];
    const grant: Grant = { effects, exclusions: [], excludes: () => undefined };
    return { ...world, host: narrowHost(world.host, { grant, cwd: world.root }).host };
  },
  { isNarrowed: true },
);
