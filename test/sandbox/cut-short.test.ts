import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StagedChange } from "../../src/core/index.ts";
import { localHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/index.ts";
import { createJournal } from "../../src/journal/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

// A process was killed while it applied to the workspace what a command did. The next one drops the remains of such
// processes' overlays, and those must not include what is still to be applied.

const isMissing = (await probeOverlay({ directory: realpathSync(tmpdir()) })) !== undefined;
const never = new Promise<never>(() => undefined);
let folder = "";
const at = (name: string): string => path.join(folder, name);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-short-")));
  mkdirSync(at("work"));
  mkdirSync(at("data/overlay/haft-overlay-gone/u0"), { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function left(name: string, content: string): StagedChange {
  const source = at(`data/overlay/haft-overlay-gone/u0/${name}`);
  writeFileSync(source, content, { mode: 0o644 });
  const { size, mtimeMs } = lstatSync(source);
  return { path: at(`work/${name}`), to: { kind: "file", source, size, mode: 0o644, mtimeMs } };
}

/** The journal of a process that brings one file to its place and no other. */
async function cutShort(changes: readonly StagedChange[]): Promise<void> {
  const host = await localHost({ launching: { helper: "never" } });
  const reached = Promise.withResolvers<void>();
  let isMoving = false;
  const fs = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      return async (...given: unknown[]): Promise<unknown> => {
        const run = async (): Promise<unknown> => await Reflect.apply(method, target, given);
        if (key !== "move") return await run();
        if (isMoving) return await never;
        isMoving = true;
        const result = await run();
        reached.resolve();
        return result;
      };
    },
  });
  const list: unknown = host.fs.list.bind(host.fs);
  const seen = new Proxy(fs, {
    get: (target, key) => (key === "list" ? list : Reflect.get(target, key)),
  });
  const journal = createJournal({
    host: { fs: seen, clock: host.clock },
    directory: at("data/journal"),
  });
  void journal.apply(
    "1",
    { since: Date.now(), changes, refused: [], through: [] },
    { tool: "Bash" },
  );
  await reached.promise;
  await host[Symbol.asyncDispose]();
}

describe.skipIf(isMissing)("what a process did not finish", () => {
  test("is finished by the next command, before anything of it is dropped", async () => {
    writeFileSync(at("work/a"), "");
    // More than is kept of one call, so that it cannot be undone.
    truncateSync(at("work/a"), 65 * 1024 * 1024);
    await cutShort([left("a", "new a"), left("b", "new b")]);
    // One of the two, whichever came first.
    expect(lstatSync(at("work/a")).size > 100).toBe(existsSync(at("work/b")));

    await using kit = await createToolkit({
      workspace: at("work"),
      dataDirectory: at("data"),
      mode: "bypassPermissions",
    });
    const { status } = await kit.call({ name: "Bash", input: { command: "node -e 0" } });

    expect(status).toBe("ok");
    expect(readFileSync(at("work/a"), "utf8")).toBe("new a");
    expect(readFileSync(at("work/b"), "utf8")).toBe("new b");
    expect(existsSync(at("data/overlay/haft-overlay-gone"))).toBe(false);
  });
});
