/**
 * One of several programs that work in the same files. Run by itself, it makes random calls and undos and prints what it
 * was answered, a line of JSON each:
 *
 *   node turn-program.ts '{"name":"a","workspace":"/w","dataDirectory":"/d","files":["f1"],"steps":10,"seed":1}'
 */
import { createHash } from "node:crypto";
import { createToolkit, ToolError, type Kit, type Outcome } from "../../src/index.ts";

export interface TurnProgram {
  readonly name: string;
  readonly workspace: string;
  readonly dataDirectory: string;
  /** Absolute. */
  readonly files: readonly string[];
  readonly steps: number;
  readonly seed: number;
}

export interface TurnLine {
  readonly kind: "write" | "edit" | "direct" | "overlay" | "background" | "undo" | "redo" | "open";
  readonly callId: string;
  readonly status: string;
  readonly code?: string;
  readonly text: string;
  readonly undo?: string;
  /** The content that the call was to give to `files`. */
  readonly content?: string;
  readonly files?: readonly string[];
}

type Random = (below: number) => number;

/** Programs on overlays are what overlaps most. */
const kinds: readonly string[] =
  "write edit overlay overlay overlay direct undo undo undo-own redo background open".split(" ");

if (process.argv[1] === import.meta.filename) {
  const program: TurnProgram = JSON.parse(process.argv[2] ?? "");
  await run(program);
}

async function run(program: TurnProgram): Promise<void> {
  const random = drawing(program.seed);
  let kit = await open(program);
  const own: string[] = [];
  for (let step = 1; step <= program.steps; step += 1) {
    const kind = kinds[random(kinds.length)] ?? "write";
    if (kind === "open") {
      await kit.dispose();
      kit = await open(program);
      continue;
    }
    const callId = `${program.name}-${step}`;
    if (kind === "undo" || kind === "undo-own" || kind === "redo") {
      const named = own[random(own.length)];
      const work = async () =>
        kind === "redo"
          ? await kit.redo()
          : await kit.undo(kind === "undo" || named === undefined ? { last: 1 } : { call: named });
      print(await attempted(kind === "redo" ? "redo" : "undo", callId, work));
      continue;
    }
    const line = await called(kit, { program, kind, callId, random });
    if (line.status === "ok") own.push(callId);
    print(line);
  }
  await kit.dispose();
}

async function open({ workspace, dataDirectory }: TurnProgram): Promise<Kit> {
  return await createToolkit({ workspace, dataDirectory, mode: "bypassPermissions" });
}

async function attempted(
  kind: "undo" | "redo",
  callId: string,
  work: () => Promise<{ readonly calls: readonly string[] }>,
): Promise<TurnLine> {
  try {
    const { calls } = await work();
    return { kind, callId, status: "ok", text: calls.join(" ") };
  } catch (error) {
    const code = ToolError.is(error) ? error.code : "THROWN";
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind, callId, status: "failed", code, text };
  }
}

interface Calling {
  readonly program: TurnProgram;
  readonly kind: string;
  readonly callId: string;
  readonly random: Random;
}

async function called(kit: Kit, { program, kind, callId, random }: Calling): Promise<TurnLine> {
  const content = `${callId} ${"x".repeat(1 + random(40))}\n`;
  const file = program.files[random(program.files.length)] ?? "";
  switch (kind) {
    case "edit": {
      const before = await kit.call({ name: "Read", input: { file_path: file } });
      const old = /^\s*1\t(?<line>.*)$/mu.exec(before.text)?.groups?.["line"] ?? "nothing";
      const input = { file_path: file, old_string: old, new_string: content.trimEnd() };
      const outcome = await kit.call({ id: callId, name: "Edit", input });
      return lineOf("edit", outcome, { content, files: [file] });
    }
    case "overlay": {
      const files = program.files.filter(() => random(3) === 0);
      const command = `sh ./put.sh ${quoted(content)} ${[file, ...files].map(quoted).join(" ")}`;
      const outcome = await kit.call({ id: callId, name: "Bash", input: { command } });
      return lineOf("overlay", outcome, { content, files: [...new Set([file, ...files])] });
    }
    case "direct": {
      const command = `printf '%s' ${quoted(content)} > ${quoted(file)}`;
      const outcome = await kit.call({ id: callId, name: "Bash", input: { command } });
      return lineOf("direct", outcome, { content, files: [file] });
    }
    case "background": {
      const command = `sh ./put.sh ${quoted(content)} ${quoted(`bg-${callId}`)}`;
      const input = { command, run_in_background: true };
      return lineOf("background", await kit.call({ id: callId, name: "Bash", input }), {});
    }
    default: {
      await kit.call({ name: "Read", input: { file_path: file } });
      const input = { file_path: file, content };
      const outcome = await kit.call({ id: callId, name: "Write", input });
      return lineOf("write", outcome, { content, files: [file] });
    }
  }
}

function lineOf(
  kind: TurnLine["kind"],
  { id, status, error, text, undo }: Outcome,
  made: Pick<TurnLine, "content" | "files">,
): TurnLine {
  return {
    kind,
    callId: id,
    status,
    text,
    ...(error === undefined ? {} : { code: error.code }),
    ...(undo === undefined ? {} : { undo: undo.level }),
    ...made,
  };
}

function quoted(text: string): string {
  return `'${text}'`;
}

function print(line: TurnLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Whole numbers below a bound, the same for the same seed. */
function drawing(seed: number): Random {
  let drawn = 0;
  return (below) => {
    drawn += 1;
    const hash = createHash("sha256").update(`${seed} ${drawn}`).digest();
    return below === 0 ? 0 : hash.readUInt32LE(0) % below;
  };
}
