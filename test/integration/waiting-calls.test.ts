import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { localPathTurns, ownProcess } from "../../src/host/index.ts";
import type { Outcome } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { bash, kitFolder, python } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const { at, open } = kitFolder(
  "haft-waiting-",
  (below) => {
    mkdirSync(below("work"));
    for (const name of ["f1", "f2"]) writeFileSync(below(`work/${name}`), "old\n");
  },
  { mode: "acceptEdits", rules: { allow: ["Bash(python3 *)"] } },
);

/** As another program would hold it. */
const turns = localPathTurns();
let release: () => void = () => undefined;

async function holdElsewhere(path: string): Promise<void> {
  const by = `${ownProcess() ?? ""} another`;
  const turn = await turns.take([path], { by, what: "Write (b)" });
  release = () => turn.release();
}

afterEach(() => {
  release();
  turns.close();
});

function write(name: string): { readonly name: string; readonly input: object } {
  return { name: "Write", input: { file_path: at(`work/${name}`), content: "new\n" } };
}

/** Long after a call that does not wait has ended, and long before a wait is given up. */
async function withinTheWait(work: Promise<Outcome>): Promise<Outcome | "waits"> {
  const late = Promise.withResolvers<"waits">();
  const timer = setTimeout(() => late.resolve("waits"), 15_000);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

test("a call that waits for another program ends when it is aborted", async () => {
  await holdElsewhere(at("work/f1"));
  const kit = await open();
  await kit.call({ name: "Read", input: { file_path: at("work/f1") } });
  const abort = new AbortController();
  const waiting = kit.call(write("f1"), { signal: abort.signal });

  setTimeout(() => abort.abort(), 300);
  const outcome = await withinTheWait(waiting);

  expect(outcome).toMatchObject({ status: "aborted", error: { code: "ABORTED" } });
  expect(readFileSync(at("work/f1"), "utf8")).toBe("old\n");
  expect(await kit.history()).toEqual([]);
}, 60_000);

test("a toolkit that is disposed does not wait for another program", async () => {
  await holdElsewhere(at("work/f1"));
  const kit = await open();
  await kit.call({ name: "Read", input: { file_path: at("work/f1") } });
  const waiting = kit.call(write("f1"));

  setTimeout(() => void kit.dispose(), 300);

  expect(await withinTheWait(waiting)).toMatchObject({ status: "aborted" });
}, 60_000);

test.skipIf(missing !== undefined)(
  "changes of a command are not applied when it is aborted while it waits, and it says so",
  async () => {
    await holdElsewhere(at("work/f1"));
    const kit = await open();
    const abort = new AbortController();
    const printed = Promise.withResolvers<void>();
    const input = { command: python("open('f1', 'w').write('new'); print('written', flush=True)") };
    const waiting = kit.call(
      { name: "Bash", input },
      { signal: abort.signal, onOutput: () => printed.resolve() },
    );

    await printed.promise;
    abort.abort();
    const outcome = await withinTheWait(waiting);

    expect(outcome).toMatchObject({ status: "aborted", error: { code: "ABORTED" } });
    expect(outcome === "waits" ? "" : outcome.error?.message).toContain(
      "while it waited for Write (b) of another haft program",
    );
    expect(readFileSync(at("work/f1"), "utf8")).toBe("old\n");
  },
  60_000,
);

test.skipIf(missing !== undefined)(
  "a command that waits for another program holds up no other call",
  async () => {
    await holdElsewhere(at("work/f1"));
    const kit = await open();
    await kit.call({ name: "Read", input: { file_path: at("work/f2") } });
    const waiting = bash(kit, python("open('f1', 'w').write('new')"));
    // Long enough for the command to have ended and to wait.
    await bash(kit, python("import time; time.sleep(2)"));

    const free = await withinTheWait(kit.call(write("f2")));
    const undone = await kit.undo({ last: 1 });
    release();
    const waited = await waiting;

    expect(free).toMatchObject({ status: "ok" });
    expect(undone.changes.map(({ path }) => path)).toEqual([at("work/f2")]);
    expect(waited.status).toBe("ok");
    expect(readFileSync(at("work/f1"), "utf8")).toBe("new");
  },
  90_000,
);
