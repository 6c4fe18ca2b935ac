import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { createToolkit, ToolError, type Kit } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { TurnLine, TurnProgram } from "../support/turn-program.ts";
import { typeScriptFlags } from "../support/from-source.ts";
import { areLawsFull, tried } from "../support/law-runs.ts";

leaveNothing();

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const at = temporaryFolder("many-programs");
/** Calls and undos of each program. */
const steps = Number(process.env["HAFT_TURN_STEPS"] ?? 12);
const seed = Number(process.env["HAFT_TURN_SEED"] ?? 14);
const limitMs = Math.max(120_000, steps * 4000);
const names = ["f1", "f2", "f3", "in/f4", "in/f5"];

/** Codes by which a call may be refused because of what another program does. */
const refusals = new Set(["STALE_READ", "UNAVAILABLE", "NOT_FOUND", "NO_MATCH"]);

interface Workspace {
  readonly workspace: string;
  readonly dataDirectory: string;
}

function plant(): void {
  mkdirSync(at("work/in"), { recursive: true });
  for (const name of names) writeFileSync(at(`work/${name}`), `start ${name}\n`);
  const script = 'content=$1; shift; for file; do printf "%s" "$content" > "$file"; done\n';
  for (const folder of ["work", "work/in"]) writeFileSync(at(`${folder}/put.sh`), script);
}

/** Files and their contents, without those that programs in the background made. */
function contents(): Readonly<Record<string, string>> {
  const files = readdirSync(at("work"), { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && !file.name.startsWith("bg-"))
    .map((file) => path.join(file.parentPath, file.name))
    .toSorted();
  return Object.fromEntries(paths.map((file) => [file, readFileSync(file, "utf8")]));
}

const program = path.join(import.meta.dirname, "../support/turn-program.ts");

async function started(options: TurnProgram): Promise<readonly TurnLine[]> {
  const child = spawn(process.execPath, [...typeScriptFlags, program, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let complaint = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = await once(child, "close");
  expect([code, complaint.replaceAll(/^.*Warning.*$/gmu, "").trim()]).toEqual([0, ""]);
  return text
    .trim()
    .split("\n")
    .map((line): TurnLine => JSON.parse(line));
}

/** Calls that were answered wrongly, in words. */
function wrongAnswers(lines: readonly TurnLine[]): readonly string[] {
  return lines.flatMap((line) => {
    const { kind, status, code, text, undo } = line;
    const isUndo = kind === "undo" || kind === "redo";
    const problems = [
      ...(status !== "ok" && !refusals.has(code ?? "") ? ["is not refused by name"] : []),
      ...(!isUndo && /undone|undo again|sandbox itself failed/u.test(text)
        ? ["has words of something else"]
        : []),
      ...(status === "ok" && line.files !== undefined && undo !== undefined && undo !== "full"
        ? ["cannot be undone"]
        : []),
    ];
    return problems.map((problem) => `${problem}: ${JSON.stringify(line)}`);
  });
}

/** Calls of the history that are not what their programs were answered, in words. */
async function wrongHistory(
  kit: Kit,
  lines: ReadonlyMap<string, TurnLine>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const entry of await kit.history()) {
    const line = lines.get(entry.callId);
    const say = (problem: string) =>
      wrong.push(`${problem}: ${JSON.stringify(entry)} ${JSON.stringify(line)}`);
    // Changes of programs in the background are seen and not kept.
    if (entry.callId.endsWith("-end") || line?.kind === "background") continue;
    if (line?.status !== "ok" || line.files === undefined) {
      say("no such call was answered with success");
      continue;
    }
    if (entry.state === "open") say("it is not over");
    if (entry.level !== "full") say("not all of it was kept");
    const hash = hashOf(line.content ?? "");
    for (const { path: file, after } of await kit.diff(entry.callId)) {
      if (!line.files.some((each) => file.endsWith(`/${path.basename(each)}`))) {
        say(`${file} is not its own`);
      }
      if (after?.kind === "file" && after.hash !== hash) say(`${file} is not as it left it`);
    }
  }
  return wrong;
}

/** Calls that stand and do not lead from what was there at first to what is there now, one after the other. */
async function brokenChains(kits: readonly Kit[], first: Readonly<Record<string, string>>) {
  const links = new Map<string, Map<string, string>>();
  for (const kit of kits) {
    const standing = (await kit.history()).filter(
      ({ state, changes }) => state === "done" && changes.length > 0,
    );
    for (const { callId } of standing) {
      for (const { path: file, before, after } of await kit.diff(callId)) {
        if (before.kind !== "file" || after?.kind !== "file") continue;
        const known = links.get(file) ?? new Map<string, string>();
        known.set(before.hash, after.hash);
        links.set(file, known);
      }
    }
  }
  const now = contents();
  return Object.entries(first).flatMap(([file, content]) => {
    const known = links.get(file) ?? new Map<string, string>();
    let hash = hashOf(content);
    let count = 0;
    for (let next = known.get(hash); next !== undefined; next = known.get(hash)) {
      hash = next;
      count += 1;
      if (count > known.size) break;
    }
    const isWhole = count === known.size && hash === hashOf(now[file] ?? "");
    return isWhole ? [] : [`${file}: ${count} of ${known.size} calls, ${now[file]}`];
  });
}

/** Undoes all calls, in whichever order the journals allow, and returns why it cannot where it cannot. */
async function undoAll(kits: readonly Kit[]): Promise<readonly string[]> {
  const left = new Set(kits);
  for (;;) {
    const refused: string[] = [];
    let hasUndone = false;
    for (const kit of left) {
      try {
        await kit.undo();
        hasUndone = true;
      } catch (error) {
        if (!ToolError.is(error)) throw error;
        if (error.code === "NOT_FOUND") left.delete(kit);
        else if (error.message.includes("nothing was stored")) left.delete(kit);
        else refused.push(`${error.code}: ${error.message}`);
      }
    }
    if (left.size === 0) return [];
    if (!hasUndone) return refused;
  }
}

function hashOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const worlds = [
  { title: "two programs in one workspace", places: [0, 0], nested: false },
  { title: "four programs in one workspace", places: [0, 0, 0, 0], nested: false },
  {
    title: "four programs in a workspace and one inside of it",
    places: [0, 0, 1, 1],
    nested: true,
  },
];

test.skipIf(missing !== undefined).each(tried(worlds, areLawsFull ? 1 : 2))(
  "$title: each call is right or refused, the history is true, and every undo is possible",
  async ({ places }) => {
    plant();
    const first = contents();
    const workspaces: readonly Workspace[] = [
      { workspace: at("work"), dataDirectory: at("data") },
      { workspace: at("work/in"), dataDirectory: at("data-in") },
    ];
    const own = [names, ["f4", "f5"]];

    const answers = await Promise.all(
      places.map(async (place, index) =>
        started({
          name: `p${index}`,
          workspace: workspaces[place]?.workspace ?? "",
          dataDirectory: workspaces[place]?.dataDirectory ?? "",
          files: own[place] ?? [],
          steps,
          seed: seed * 100 + index,
        }),
      ),
    );

    const lines = answers.flat();
    const byCall = new Map(lines.map((line) => [line.callId, line]));
    const used = workspaces.filter((_, index) => places.includes(index));
    const kits = await Promise.all(
      used.map(async (each) => await createToolkit({ ...each, mode: "bypassPermissions" })),
    );
    if (process.env["HAFT_TURN_REPORT"] !== undefined) report(lines);
    expect(wrongAnswers(lines)).toEqual([]);
    for (const kit of kits) expect(await wrongHistory(kit, byCall)).toEqual([]);
    expect(await brokenChains(kits, first)).toEqual([]);
    expect(await undoAll(kits)).toEqual([]);
    expect(contents()).toEqual(first);
    for (const kit of kits) await kit.dispose();
  },
  limitMs,
);

function report(lines: readonly TurnLine[]): void {
  const counts = new Map<string, number>();
  for (const { kind, status, code } of lines) {
    const key = [kind, status, code ?? ""].join(" ").trim();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const key of [...counts.keys()].toSorted()) {
    process.stdout.write(`  ${counts.get(key)} ${key}\n`);
  }
}
