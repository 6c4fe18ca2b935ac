import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StagedChanges } from "../../src/core/index.ts";
import { overlayRoots } from "../../src/sandbox/index.ts";
import { namespaceProcesses } from "../../src/sandbox/overlay/mount/namespace-processes.ts";
import { applied, forms, listed, OverlayWorld } from "./overlay-world.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const isRoot = process.getuid?.() === 0;

let world: OverlayWorld;
const real = (name: string) => path.join(world.root, name);
beforeEach(() => {
  world = new OverlayWorld();
  mkdirSync(real("d/e"), { recursive: true });
  for (const name of ["a", "b", "d/c", "d/e/f"]) writeFileSync(real(name), name);
});
afterEach(async () => world.end());

const told = (staged: StagedChanges) => world.told(staged);

describe.each(forms)("an overlay of the form %s", (form) => {
  test("stages what a command does and leaves the real tree as it is", async () => {
    const before = listed(world.root);
    const overlay = await world.overlay({ form });
    const { code, stdout } = await world.run(
      overlay,
      "pwd; echo new > a; rm b; mv d g; ln -s a l; mkdir -m 700 empty; exit 7",
    );

    expect({ code, stdout }).toEqual({ code: 7, stdout: `${world.root}\n` });
    expect(listed(world.root)).toEqual(before);
    expect(told(await overlay.changes())).toEqual([
      "a new",
      "b absent",
      "d absent",
      "d/c absent",
      "d/e absent",
      "d/e/f absent",
      "empty directory",
      "g directory",
      "g/c d/c",
      "g/e directory",
      "g/e/f d/e/f",
      "l -> a",
    ]);
  });

  test("tells size, permission bits and date of a file", async () => {
    const overlay = await world.overlay({ form });
    await world.run(overlay, "chmod 4711 a; touch -d @1000.5 b; chmod 2750 d");

    const { changes } = await overlay.changes();
    expect(changes.map(({ path: at, to }) => [path.relative(world.root, at), to])).toEqual([
      ["a", expect.objectContaining({ kind: "file", mode: 0o4711, size: 1 })],
      ["b", expect.objectContaining({ kind: "file", mtimeMs: 1_000_500, mode: 0o644 })],
      ["d", { kind: "directory", mode: 0o2750 }],
    ]);
  });

  test("leaves out what was opened for writing, or written as it was", async () => {
    utimesSync(real("a"), 1000, 1000);
    const overlay = await world.overlay({ form });
    await world.run(
      overlay,
      ": >> a; chmod 600 b; chmod 644 b; printf d/c > n; touch -r d/c n; mv n d/c; mkdir m; rmdir m",
    );

    expect(told(await overlay.changes())).toEqual([]);
  });

  test("tells a tree that was replaced by the names that are gone and those that are new", async () => {
    const overlay = await world.overlay({ form });
    await world.run(overlay, "rm -r d; mkdir -p d/e; echo 1 > d/e/new; rm a; mkdir a; touch a/x");
    expect(told(await overlay.changes())).toEqual([
      "a directory",
      "a/x ",
      "d/c absent",
      "d/e/f absent",
      "d/e/new 1",
    ]);
  });

  test("tells a tree that became a file", async () => {
    const overlay = await world.overlay({ form });
    await world.run(overlay, "rm -r d; echo file > d");
    expect(told(await overlay.changes())).toEqual([
      "d file",
      "d/c absent",
      "d/e absent",
      "d/e/f absent",
    ]);
  });

  test("refuses by name what cannot be carried over, and what holds it", async () => {
    execFileSync("mkfifo", [real("d/e/pipe")]);
    const overlay = await world.overlay({ form });
    await world.run(
      overlay,
      "mkfifo p; printf x > \"$(printf 'n\\377')\"; rm -r d; rm a; mkfifo a; echo ok > b",
    );
    const { changes, refused } = await overlay.changes();
    expect(told({ since: 0, changes, refused, through: [] })).toEqual([
      "b ok",
      "d/c absent",
      "d/e/f absent",
    ]);
    expect(refused.map(({ path: at }) => path.relative(world.root, at))).toEqual([
      "a",
      "d",
      "d/e",
      "d/e/pipe",
      "n\\xff",
      "p",
    ]);
  });

  test("refuses a new link whose target is not text, and accepts an existing one", async () => {
    symlinkSync(Buffer.from([0x78, 0xff]), real("there"));
    const overlay = await world.overlay({ form });
    await world.run(overlay, "ln -s \"$(printf 'x\\376')\" made; touch -h there");
    const { changes, refused } = await overlay.changes();
    expect(changes).toEqual([]);
    expect(refused).toEqual([
      { path: real("made"), because: "Its target is not text, so the link cannot be created." },
    ]);
  });

  test("refuses a socket", async () => {
    const server = createServer().listen(real("socket"));
    await once(server, "listening");
    const overlay = await world.overlay({ form });
    await world.run(overlay, "rm socket");
    const { changes, refused } = await overlay.changes();
    server.close();
    expect(changes).toEqual([]);
    expect(refused).toEqual([
      {
        path: real("socket"),
        because: "A removed socket, pipe or device could not be restored.",
      },
    ]);
  });

  test("knows the environment, odd names too, and the given directory", async () => {
    const overlay = await world.overlay({ form, environment: { KEPT: "1", GONE: undefined } });
    const result = await world.start(
      await overlay.confinement.wrap(["/usr/bin/env"], {
        cwd: real("d/e"),
        env: { "odd-name": "a b", "BASH_FUNC_x%%": "() { :; }" },
      }),
    );
    expect(result.stdout.trim().split("\n").toSorted()).toEqual([
      "BASH_FUNC_x%%=() { :; }",
      "KEPT=1",
      "odd-name=a b",
    ]);
    const where = await overlay.confinement.wrap(["/bin/pwd"], { cwd: real("d/e"), env: {} });
    expect((await world.start(where)).stdout).toBe(`${real("d/e")}\n`);
  });

  test("shows files as belonging to whom they do", async () => {
    const overlay = await world.overlay({ form });
    const { stdout } = await world.run(
      overlay,
      "id -u; id -g; stat -c '%u %g' a; echo > n; stat -c '%u %g' n .",
    );
    const own = `${process.getuid?.()} ${process.getgid?.()}`;
    expect(stdout.trim().split("\n")).toEqual([...own.split(" "), own, own, own]);
  });

  test("ends what a command left behind before it tells the changes", async () => {
    const overlay = await world.overlay({ form });
    await world.run(
      overlay,
      "(setsid sh -c 'echo $$ > pid; while :; do echo more >> log; done' > /dev/null 2>&1 &) ; while ! test -s log; do :; done",
    );
    const { changes } = await overlay.changes();
    const log = changes.find(({ path: at }) => at === real("log"));
    const sizeThen = log?.to.kind === "file" ? log.to.size : 0;
    const [tag = ""] = readdirSync(world.staging);

    expect(sizeThen).toBeGreaterThan(0);
    expect(lstatSync(path.join(world.staging, tag, "u0/log")).size).toBe(sizeThen);
    expect(namespaceProcesses(tag)).toHaveLength(1);
  });

  test("writes straight through where it is told to, and says so", async () => {
    mkdirSync(real("node_modules"));
    const overlay = await world.overlay({
      form,
      through: [real("node_modules"), real("missing"), world.at("staging")],
    });
    await world.run(overlay, "echo 1 > node_modules/x; echo 2 > a; rm -rf node_modules");
    const staged = await overlay.changes();

    expect(told(staged)).toEqual(["a 2"]);
    expect(staged.through).toEqual([real("node_modules")]);
    expect(staged.refused).toEqual([]);
    expect(existsSync(real("node_modules"))).toBe(true);
  });

  test("writes through a file as well", async () => {
    const overlay = await world.overlay({ form, through: [real("a")] });
    await world.run(overlay, "echo straight > a");
    expect(told(await overlay.changes())).toEqual([]);
    expect(readFileSync(real("a"), "utf8")).toBe("straight\n");
  });

  test("covers several roots at once, and a nested one only once", async () => {
    mkdirSync(world.at("other"));
    writeFileSync(world.at("other/x"), "x");
    const overlay = await world.overlay({
      form,
      roots: [world.root, world.at("other"), real("d"), world.root],
    });
    await world.run(overlay, "echo 1 > ../other/x; echo 2 > d/c");
    expect(told(await overlay.changes())).toEqual(["d/c 2", "../other/x 1"]);
    expect(readFileSync(world.at("other/x"), "utf8")).toBe("x");
  });

  test("minds no character of a path", async () => {
    const root = world.at("a b,c:d'e\"f\\g#h\ni ü $(x)");
    mkdirSync(path.join(root, "d,1:2"), { recursive: true });
    const overlay = await world.overlay({
      form,
      roots: [root],
      through: [path.join(root, "d,1:2")],
    });
    await world.run(overlay, "echo 1 > new; echo 2 > d,1:2/straight", root);
    const staged = await overlay.changes();
    expect(staged.changes.map(({ path: at }) => at)).toEqual([path.join(root, "new")]);
    expect(readdirSync(path.join(root, "d,1:2"))).toEqual(["straight"]);
  });

  test("keeps a file linked to its new names", async () => {
    const overlay = await world.overlay({ form });
    await world.run(overlay, "printf x > x; ln x y; ln x d/z");
    const target = world.copy("real", "target");
    applied(await overlay.changes(), { root: world.root, target });
    const numbers = ["x", "y", "d/z"].map((name) => lstatSync(path.join(target, name)).ino);
    expect(new Set(numbers).size).toBe(1);
  });

  test("says when the command began, by the clock of the files", async () => {
    const overlay = await world.overlay({ form });
    writeFileSync(real("before"), "");
    await world.run(overlay, "cat before && echo > a");
    const { since } = await overlay.changes();
    expect(lstatSync(real("before")).ctimeMs).toBeLessThanOrEqual(since);
    expect(since).toBeLessThanOrEqual(Date.now());
    chmodSync(real("b"), 0o600);
    expect(lstatSync(real("b")).ctimeMs).toBeGreaterThanOrEqual(since);
  });

  test("sees what others did between its making and the first start", async () => {
    const overlay = await world.overlay({ form });
    writeFileSync(real("late"), "late");
    renameSync(real("d"), real("moved"));
    const { stdout } = await world.run(overlay, "cat late; cat moved/c; ls");
    expect(stdout).toBe("lated/ca\nb\nlate\nmoved\n");
    expect(told(await overlay.changes())).toEqual([]);
  });

  test("is gone after a drop at any time, and dropped twice", async () => {
    const unused = await world.overlay({ form });
    await unused.drop();
    await unused.drop();
    const busy = await world.overlay({ form });
    const confined = await busy.confinement.wrap(["/bin/sleep", "60"], {
      cwd: world.root,
      env: {},
    });
    const running = world.start(confined);
    const [tag = ""] = readdirSync(world.staging);
    while (namespaceProcesses(tag).length < 2) await new Promise(setImmediate);
    await busy.drop();
    expect((await running).signal).toBe("SIGKILL");
    expect(readdirSync(world.staging)).toEqual([]);
    await expect(busy.changes()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("is gone although a command closed its directories", async () => {
    const overlay = await world.overlay({ form });
    await world.run(overlay, "mkdir -p x/y; touch x/y/z; chmod 0 x/y; chmod 0 x d");
    await overlay.drop();
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test("stages on another file system, from where changes can be copied", async () => {
    if (!existsSync("/dev/shm")) return;
    const elsewhere = new OverlayWorld("/dev/shm");
    const overlay = await elsewhere.overlay({ form, roots: [world.root] });
    await world.run(overlay, "echo new > a; rm b; rm -r d/e; mkdir d/e; ln a a2");
    expect(told(await overlay.changes())).toEqual(["a new", "a2 new", "b absent", "d/e/f absent"]);
    await elsewhere.end();
  });

  test("covers a worktree of git together with its repository", async () => {
    world.runStraight(
      "git init -q main && cd main && git commit -q --allow-empty -m 1 && git worktree add -q ../tree -b tree 2>&1",
    );
    const roots = await overlayRoots(real("tree"));
    expect(roots).toEqual([real("tree"), real("main/.git")]);
    const before = listed(world.root);
    const overlay = await world.overlay({ form, roots });
    const { code } = await world.run(
      overlay,
      "echo 1 > x && git add x && git commit -qm 2 && git log --oneline | wc -l",
      real("tree"),
    );

    expect(code).toBe(0);
    expect(listed(world.root)).toEqual(before);
    const target = world.copy("real", "target");
    applied(await overlay.changes(), { root: world.root, target });
    const log = execFileSync("git", [
      "-C",
      path.join(target, "main"),
      "log",
      "--format=%s",
      "tree",
    ]);
    expect(log.toString()).toBe("2\n1\n");
  });
});

test.skipIf(!isRoot || forms.length === 0)(
  "the owner of a file goes with it, that of a directory is refused",
  async () => {
    const overlay = await world.overlay();
    await world.run(overlay, "chown 1234:1234 a d; mkdir n; chown 1234 n");
    const staged = await overlay.changes();
    expect(told(staged)).toEqual(["a a", "n directory"]);
    expect(staged.refused.map(({ path: at }) => at)).toEqual([real("d"), real("n")]);
  },
);
