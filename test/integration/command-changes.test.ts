import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, type Ask, type Outcome, type ToolkitOptions } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { exactTree, undated } from "../support/exact-tree.ts";
import { bash, kitFolder, python } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });

/** Seconds: times are restored to the microsecond, and this is a whole one. */
const then = 1_700_000_000;
const { at, open } = kitFolder("haft-changes-", (place) => {
  mkdirSync(place("work/src"), { recursive: true });
  writeFileSync(place("work/a.txt"), "one\n");
  writeFileSync(place("work/src/b.txt"), "two\n");
  for (const name of ["a.txt", "src/b.txt"]) utimesSync(place(`work/${name}`), then, then);
});
const text = (name: string): string => readFileSync(at(`work/${name}`), "utf8");

const filesOf = (outcome: Outcome): unknown =>
  (outcome.metadata["sandbox"] as { files?: unknown } | undefined)?.files;

/** An asker that gives one answer, and what it was asked. */
function answering(answer: Answer) {
  const asked: Ask[] = [];
  return {
    asked,
    onAsk: async (ask: Ask): Promise<Answer> => {
      asked.push(ask);
      return answer;
    },
  };
}

test.skipIf(missing === undefined)("overlays do not work here", ({ skip }) => {
  expect(missing).toBeDefined();
  skip(missing?.reason);
});

describe.skipIf(missing !== undefined)("what a command changes", () => {
  test("is in the workspace when it has ended, and is undone and redone exactly", async () => {
    const kit = await open();
    const before = await exactTree(at("work"));

    const outcome = await bash(
      kit,
      python(
        "open('new', 'w').write('x'); os.remove('a.txt'); os.chmod('src/b.txt', 0o700); os.symlink('src', 'link'); os.mkdir('empty')",
      ),
    );

    expect(outcome.status).toBe("ok");
    expect(outcome.undo?.level).toBe("full");
    expect(filesOf(outcome)).toEqual({ overlay: "undo", changed: 5 });
    expect(text("new")).toBe("x");
    const after = (await exactTree(at("work"))).map(undated);
    await kit.undo();
    expect(await exactTree(at("work"))).toEqual(before);
    await kit.redo();
    expect((await exactTree(at("work"))).map(undated)).toEqual(after);
  });

  test("of a command that failed half-way is there, and can be undone", async () => {
    const kit = await open();
    const before = await exactTree(at("work"));

    const outcome = await bash(kit, python("open('half', 'w').write('x'); os.remove('nothing')"));

    expect(outcome.text).toContain("Exit code 1");
    expect(text("half")).toBe("x");
    await kit.undo();
    expect(await exactTree(at("work"))).toEqual(before);
  });

  test("is empty where it only reads: there is nothing to undo", async () => {
    const kit = await open();

    const outcome = await bash(kit, python("print(open('a.txt').read())"));

    expect(outcome.text.trim()).toBe("one");
    expect(outcome.undo).toBeUndefined();
    expect(await kit.history()).toEqual([]);
  });

  test("takes a folder away that is bound straight through, where it says so", async () => {
    const kit = await open();
    mkdirSync(at("work/node_modules/old"), { recursive: true });

    const replaced = await bash(
      kit,
      "rm -rf node_modules && mkdir node_modules && echo x > node_modules/new && echo done",
    );
    const program = await bash(
      kit,
      `rm -rf node_modules && ${python("os.mkdir('node_modules')")} && echo done`,
    );

    expect(replaced).toMatchObject({ status: "ok", text: expect.stringContaining("done") });
    expect(program).toMatchObject({ status: "ok", text: expect.stringContaining("done") });
    expect(filesOf(program)).toMatchObject({
      overlay: "none",
      because: `It removes ${at("work/node_modules")}, which commands change directly.`,
    });
    expect(await readdir(at("work/node_modules"))).toEqual([]);
  });

  test("is said where a program could not take such a folder away", async () => {
    const kit = await open();
    mkdirSync(at("work/node_modules/old"), { recursive: true });
    writeFileSync(at("work/remove.sh"), "rm -rf node_modules 2>&1; exit 1");

    const outcome = await bash(kit, "sh remove.sh");

    expect(filesOf(outcome)).toMatchObject({ overlay: "undo" });
    expect(outcome.text).toContain("one that says so, like rm -rf node_modules, runs straight");
  });

  test("of such a folder is shown first and dropped where changes are shown", async () => {
    const { asked, onAsk } = answering({ kind: "deny" });
    const kit = await open({ sandbox: { overlay: "preview" }, onAsk });
    mkdirSync(at("work/node_modules/old"), { recursive: true });

    const outcome = await bash(kit, "rm -rf node_modules && mkdir node_modules && echo done");

    expect(asked.map(({ question }) => question)).toEqual(["Keep what the command changed?"]);
    expect(outcome.text).toContain("done");
    expect(await readdir(at("work/node_modules"))).toEqual(["old"]);
  });

  test("what it says and no more is journaled without an overlay", async () => {
    const kit = await open();
    const before = await exactTree(at("work"));

    const outcome = await bash(kit, "mv src moved; rm a.txt");

    expect(filesOf(outcome)).toMatchObject({ overlay: "none" });
    expect(outcome.undo?.level).toBe("full");
    await kit.undo();
    expect(await exactTree(at("work"))).toEqual(before);
  });

  test("a link that is removed or moved by its name is restored, and its target is not touched", async () => {
    const kit = await open();
    await bash(kit, python("os.symlink('a.txt', 'link'); os.symlink('nowhere', 'dangling')"));
    const before = await exactTree(at("work"));

    await bash(kit, "rm -f dangling link");
    await kit.undo();
    expect(await exactTree(at("work"))).toEqual(before);
    await bash(kit, "mv link moved; mv dangling src/");
    await kit.undo();

    expect(await exactTree(at("work"))).toEqual(before);
  });

  test("the folder it ends in is where the next one starts, also where the command made it", async () => {
    const kit = await open();

    await bash(kit, `${python("os.mkdir('made')")}; cd made`);

    expect((await bash(kit, "pwd")).text).toBe(at("work/made"));
  });

  test("an edit after it works on what it left", async () => {
    const kit = await open();
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    await bash(kit, python("open('a.txt', 'w').write('changed')"));
    const edit = { file_path: "a.txt", old_string: "changed", new_string: "again" };

    expect((await kit.call({ name: "Edit", input: edit })).error?.code).toBe("STALE_READ");
    await kit.call({ name: "Read", input: { file_path: "a.txt" } });
    expect((await kit.call({ name: "Edit", input: edit })).status).toBe("ok");
    expect(text("a.txt")).toBe("again");
  });

  test("is shown first in the mode preview, and kept with a yes", async () => {
    const { asked, onAsk } = answering({ kind: "once" });
    const kit = await open({ onAsk, sandbox: { overlay: "preview" } });

    const outcome = await bash(kit, python("open('a.txt', 'w').write('new\\n')"));

    expect(asked.map(({ question }) => question)).toEqual(["Keep what the command changed?"]);
    expect(asked[0]?.preview).toContain("-one\n+new");
    expect(text("a.txt")).toBe("new\n");
    expect(outcome.undo?.level).toBe("full");
  });

  test.each<[string, ToolkitOptions, string]>([
    [
      "with a no",
      { onAsk: answering({ kind: "deny", reason: "not that file" }).onAsk },
      "the user said no: not that file",
    ],
    ["with nobody to ask", {}, "no user was available to approve it"],
  ])("is dropped in the mode preview %s, and the model reads why", async (_, options, because) => {
    const kit = await open({ ...options, sandbox: { overlay: "preview" } });
    const before = await exactTree(at("work"));

    const outcome = await bash(kit, python("open('a.txt', 'w').write('new'); print('done')"));

    expect(outcome.text).toContain("done");
    expect(outcome.text).toContain(`What it changed was dropped, because ${because}.`);
    expect(await exactTree(at("work"))).toEqual(before);
    expect(await kit.history()).toEqual([]);
  });

  test("is changed at once where overlays are off", async () => {
    const kit = await open({ sandbox: { overlay: "off" } });

    const outcome = await bash(kit, python("open('new', 'w').write('x')"));

    expect(filesOf(outcome)).toEqual({ overlay: "none", because: "It was switched off." });
    expect(text("new")).toBe("x");
  });

  test("is never written over a change made by others in the meantime", async () => {
    const kit = await open();
    const waiting = `import time; print("ready", flush=True); [time.sleep(0.01) for _ in iter(lambda: os.path.exists("${at("go")}"), True)]`;
    const running = kit.call(
      {
        name: "Bash",
        input: {
          command: python(`open('a.txt', 'w').write('mine'); open('made', 'w'); ${waiting}`),
        },
      },
      {
        onOutput: () => {
          writeFileSync(at("work/a.txt"), "theirs\n");
          writeFileSync(at("go"), "");
        },
      },
    );

    const outcome = await running;

    expect(outcome.error?.code).toBe("STALE_READ");
    expect(outcome.text).toContain("a.txt");
    expect(text("a.txt")).toBe("theirs\n");
    expect(existsSync(at("work/made"))).toBe(false);
    const [kept = ""] = /\S+haft-overlay-\S+/u.exec(outcome.text) ?? [];
    const made = await readdir(kept, { recursive: true });
    const files = made.filter((each) => each.endsWith("/a.txt"));
    expect(files.map((each) => readFileSync(path.join(kept, each), "utf8"))).toContain("mine");
    await kit.dispose();
    expect(existsSync(kept)).toBe(false);
  });

  test("a heavy folder is changed at once, and said to be outside of undo", async () => {
    mkdirSync(at("work/node_modules"));
    const kit = await open();

    const outcome = await bash(
      kit,
      python("open('node_modules/x.js', 'w').write('x'); open('y', 'w').write('y')"),
    );

    expect(text("node_modules/x.js")).toBe("x");
    expect(outcome.undo?.level).toBe("partial");
    await kit.undo();
    expect(text("node_modules/x.js")).toBe("x");
    expect(existsSync(at("work/y"))).toBe(false);
  });

  test("a server works with the real files while it runs", async () => {
    const kit = await open();

    const outcome = await bash(kit, `${python("open('live', 'w').write('x')")}; sleep 60`, {
      run_in_background: true,
    });

    await expect.poll(() => existsSync(at("work/live")) && text("live")).toBe("x");
    expect(filesOf(outcome)).toEqual({
      overlay: "none",
      because: "It works with the files while others do.",
    });
  });

  test("is kept apart also while another program holds a file locked", async () => {
    const kit = await open();
    const held =
      "import fcntl,sys; f=open('src/b.txt'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); sys.stdin.read()";
    const holder = spawn("python3", ["-c", held], {
      cwd: at("work"),
      stdio: ["pipe", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");

    const added = await bash(kit, python("open('new', 'w').write('x')"));
    holder.stdin.end();
    await once(holder, "exit");

    expect(filesOf(added)).toMatchObject({ overlay: "undo", changed: 1 });
    expect(text("new")).toBe("x");
  });

  test("leaves nothing where the data directory is on another file system", async ({ skip }) => {
    if (!existsSync("/dev/shm")) skip("there is no other file system here");
    const data = await mkdtemp("/dev/shm/haft-changes-");
    const before = await overlayBases();
    const kit = await open({ dataDirectory: data });

    const outcome = await bash(kit, python("open('new', 'w').write('x')"));

    const during = await overlayBases();
    await kit.dispose();
    await rm(data, { recursive: true });
    expect(filesOf(outcome)).toMatchObject({ overlay: "undo", changed: 1 });
    expect(during.filter((name) => !before.includes(name))).toHaveLength(1);
    expect((await overlayBases()).filter((name) => !before.includes(name))).toEqual([]);
  });

  test("leaves nothing where overlays are kept", async () => {
    const kit = await open();
    await bash(kit, python("open('new', 'w').write('x')"));
    await kit.dispose();

    const names = await readdir(at(""), { recursive: true });
    expect(names.filter((each) => each.includes("haft-overlay-"))).toEqual([]);
  });
});

async function overlayBases(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("haft-overlays-"));
}
