import { execFile, execFileSync } from "node:child_process";
import {
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { drivers, probeDriver, probeOverlay } from "../../src/sandbox/index.ts";
import { escapeWorld } from "../sandbox/escape-world.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { attemptsProgram, type Seen } from "./attempts.ts";
import { environments, type Environment } from "./environments.ts";
import type { Found, Order } from "./environment-program.ts";
import { typeScriptFlags } from "../support/from-source.ts";
import { areLawsFull, tried } from "../support/law-runs.ts";

leaveNothing();

const program = path.join(import.meta.dirname, "environment-program.ts");
const run = promisify(execFile);
const nodeFolder = path.dirname(process.execPath);
const works = new Set<string>(
  await Promise.all(
    drivers
      .slice(0, 2)
      .map(async (driver) => ((await probeDriver(driver)).works ? driver.name : "")),
  ),
);

if ((await probeOverlay({ directory: realpathSync(tmpdir()) })) === undefined)
  works.add("overlays");

type World = Awaited<ReturnType<typeof escapeWorld>>;
interface Result extends Found {
  readonly seen: Seen;
  /** Effects outside the sandbox, by the gaps that would admit them. */
  readonly happened: ReadonlySet<string>;
  readonly survivors: readonly string[];
  readonly committed: string;
  /** Files next to a workspace that has a place for itself. */
  readonly neighbors: readonly string[];
}

/** Runs the program in an environment and asks everybody outside what became of it. */
async function witnessed(environment: Environment): Promise<Result | undefined> {
  const world = await escapeWorld();
  const elsewhere: string[] = [];
  try {
    const workspace = workspaceOf(environment, world, elsewhere);
    const place = { base: world.at(""), workspace };
    const prefix = environment.prefix(place);
    if (prefix === undefined) return undefined;
    mkdirSync(world.at("nothing"));
    writeFileSync(path.join(workspace, "facts.json"), JSON.stringify(world.facts));
    writeFileSync(path.join(workspace, "attempts.cjs"), attemptsProgram);
    const { uid, name } = environment;
    if (uid !== undefined) own(world.at(""), uid);
    const before = world.snapshot();
    const order: Order =
      name === "nested in itself" ? { workspace } : { workspace, dataDirectory: world.at("data") };
    const words = [...prefix, process.execPath, ...typeScriptFlags, program, JSON.stringify(order)];
    // Not waited for in one go: listeners have to answer meanwhile.
    const ran = await run(words[0] ?? "", words.slice(1), {
      cwd: "/",
      env: {
        PATH: `${nodeFolder}:/usr/bin:/bin:/usr/sbin:/sbin`,
        HOME: world.at("home"),
        TMPDIR: world.at("temporary"),
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      },
    });
    const found = resultIn(ran.stdout, ran.stderr);
    const seen = JSON.parse(/^\{.*\}$/mu.exec(found.attempts.text)?.[0] ?? "{}") as Seen;
    return {
      ...found,
      seen,
      happened: await happenedIn(world, { before, seen }),
      survivors: await world.survivors(),
      neighbors: elsewhere.flatMap((folder) => readdirSync(folder)),
      committed: execFileSync(
        "git",
        ["-c", "safe.directory=*", "-C", workspace, "log", "-1", "--format=%s"],
        { encoding: "utf8" },
      ).trim(),
    };
  } finally {
    await world.dispose();
    for (const folder of elsewhere) rmSync(folder, { recursive: true, force: true });
  }
}

function workspaceOf({ workspace }: Environment, world: World, elsewhere: string[]): string {
  const usual = world.at("workspace");
  if (workspace === undefined) return usual;
  if (workspace === "other file system") {
    const base = mkdtempSync("/dev/shm/haft-referee-");
    elsewhere.push(base);
    const there = path.join(base, "workspace");
    execFileSync("git", ["init", "-q", there]);
    return there;
  }
  const git = (...words: readonly string[]) =>
    execFileSync("git", [
      "-C",
      usual,
      "-c",
      "user.name=haft",
      "-c",
      "user.email=haft@localhost",
      ...words,
    ]);
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("worktree", "add", "-q", world.at("worktree"));
  return world.at("worktree");
}

function own(name: string, uid: number): void {
  lchownSync(name, uid, uid);
  for (const entry of readdirSync(name, { recursive: true, encoding: "utf8" })) {
    lchownSync(path.join(name, entry), uid, uid);
  }
}

function resultIn(stdout: string, stderr: string): Found {
  const line = stdout.split("\n").findLast((each) => each.startsWith('{"uid"'));
  if (line === undefined) throw new Error(`It told nothing: ${stdout}${stderr}`);
  return JSON.parse(line) as Found;
}

async function happenedIn(
  world: World,
  { before, seen }: { readonly before: ReadonlyMap<string, string>; readonly seen: Seen },
): Promise<ReadonlySet<string>> {
  await world.objects();
  const reached = world.connections();
  const facts: readonly (readonly [string, boolean])[] = [
    ["writes", world.changesSince(before).length > 0],
    ["reads", seen.secret === world.secret],
    ["network", reached.includes("tcp was reached") || reached.includes("udp was reached")],
    ["unix-sockets", reached.includes("unix was reached")],
    ["abstract-sockets", reached.includes("abstract was reached")],
    ["vsock", seen.vsock === 0],
    ["signals", seen.signal === true],
    ["processes", seen.sees === true],
  ];
  return new Set(facts.filter(([, isTrue]) => isTrue).map(([name]) => name));
}

/** Gaps that the attempts can show, in the words of the report. */
const shown = [
  "writes",
  "reads",
  "network",
  "unix-sockets",
  "abstract-sockets",
  "vsock",
  "signals",
  "processes",
];
const notPermitted = 1;

// A developer's run tries every other one.
describe.each(tried(environments, areLawsFull ? 1 : 2))(
  "$name, because $because",
  (environment) => {
    const { expected, isHeldBesides = false } = environment;
    const { provider: wanted } = expected;
    const needs = ["overlays", ...(wanted === "landlock" ? ["bwrap", wanted] : [wanted])];
    const lacking = needs.filter((name) => name !== "unshare" && !works.has(name));
    let result: Result | undefined;
    const found = (skip: (why: string) => never): Result =>
      result ??
      skip(lacking.length > 0 ? `${lacking.join(", ")}: not here` : "no way to get there");

    beforeAll(async () => {
      if (lacking.length === 0) result = await witnessed(environment);
    }, 120_000);

    test("what is said before is what is said of each command, and is so", ({ skip }) => {
      const { doctor, attempts } = found(skip);
      const { provider, filesystem, network, undo } = doctor.confinement;

      expect({ provider, undo }).toEqual({ provider: expected.provider, undo: expected.undo });
      expect(attempts.held).toMatchObject({ provider, filesystem, network });
    });

    test("doctor prints why something does not work, and what would help", ({ skip }) => {
      const { doctor } = found(skip);
      const printed = doctor.checks.map(({ name, text, hint }) => `${name}: ${text} ${hint}`);

      for (const reason of expected.doctor) expect(printed.join("\n")).toMatch(reason);
    });

    test("an effect outside the sandbox is a gap that was named", ({ skip }) => {
      const { attempts, happened } = found(skip);
      const admitted = shown.filter((gap) => attempts.held.gaps.includes(gap));

      expect({ status: attempts.status, text: attempts.text }).toMatchObject({ status: "ok" });
      expect(admitted).toEqual(expect.arrayContaining([...happened]));
      // Where nothing else holds, a gap that is named is one.
      expect(isHeldBesides ? admitted : [...happened]).toEqual(admitted);
    });

    test("privileges are gone, and sockets of other kinds, where calls are filtered", ({
      skip,
    }) => {
      const { seen } = found(skip);
      const isFiltered = ["bwrap", "landlock"].includes(expected.provider);

      expect(seen.status).toMatchObject(
        isFiltered ? { CapEff: "0".repeat(16), NoNewPrivs: "1", Seccomp: "2" } : { Seccomp: "0" },
      );
      expect(seen.vsock === notPermitted).toBe(isFiltered);
    });

    test("no process is left once the kit has ended, and no file next to the workspace", ({
      skip,
    }) => {
      const { survivors, neighbors } = found(skip);

      expect(survivors).toEqual([]);
      expect(neighbors.filter((name) => name !== "workspace")).toEqual([]);
    });

    test("git, programs that start others and temporary files work", ({ skip }) => {
      const { work, committed } = found(skip);
      const [printed, note] = work.text.split("\n");

      expect({ status: work.status, printed }).toEqual({ status: "ok", printed: "made" });
      // Without an overlay the answer says that undo does not cover what was changed.
      expect(note?.startsWith("(It ran on the real files,") ?? false).toBe(
        expected.undo !== "full",
      );
      expect(committed).toBe("made");
    });

    test("what a program did is undone as far as was announced", ({ skip }) => {
      expect(found(skip).undo).toEqual({
        // Of a program whose text says nothing, all there is without an overlay is that something changed.
        level: expected.undo === "full" ? "full" : "none",
        isGone: expected.undo === "full",
      });
    });

    test("where only what is enforced would do, it is there or nothing runs", ({ skip }) => {
      const { enforced, doctor } = found(skip);

      const refused = {
        status: "failed",
        code: "UNAVAILABLE",
        text: expect.stringContaining("No sandbox here enforces files and network."),
        hint: expect.stringMatching(/^(?:Install one with|Set the sandbox to)/u),
      };
      const ran = { status: "ok", text: "ran", provider: expected.provider };
      const isEnforced = doctor.confinement.filesystem === "enforced";
      expect(enforced).toMatchObject(isEnforced ? ran : refused);
    });
  },
);
