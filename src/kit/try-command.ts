import {
  ToolError,
  type CommandPreview,
  type CommandPreviewRequest,
  type CommandPreviewed,
  type Host,
} from "../core/index.ts";
import type { CommandOverlays } from "./command-overlays.ts";
import { openConfined, type ConfineParts } from "./confine-calls.ts";

export interface TryCommandParts extends ConfineParts {
  readonly overlays: CommandOverlays;
  readonly newId: () => string;
}

/** Bytes of each stream that are kept, and after which a command is ended. */
const keptBytes = 200_000;
const maxOutputBytes = 64 * 1024 * 1024;

/**
 * Runs a command where nothing of it counts: on an overlay of the workspace that is never applied, and in a sandbox
 * without network that holds every other file. Fails with UNAVAILABLE where either is missing.
 */
export function tryCommand(parts: TryCommandParts): CommandPreview {
  const open = openConfined({ ...parts, require: "enforced" });
  return async (request) => {
    const because = await parts.overlays.missing();
    if (because !== undefined) throw cannotTry(because);
    const span = { start: 0, end: 0 };
    const { argv } = request;
    const { confinement } = await open({
      effects: [{ kind: "execute", argv, assigns: [], via: [], consequences: "open", span }],
    });
    if (confinement === undefined) throw cannotTry("Nothing here confines programs.");
    const overlay = await parts.overlays.prepare(confinement);
    try {
      const output = await run(parts, request, overlay.confinement);
      return { staged: await overlay.changes(), output, drop: overlay.drop };
    } catch (error) {
      await overlay.drop();
      throw error;
    }
  };
}

async function run(
  { host, newId }: Pick<TryCommandParts, "host" | "newId">,
  { argv, cwd, env, keepEnv, timeoutMs, signal }: CommandPreviewRequest,
  confinement: Parameters<Host["proc"]["start"]>[0]["confinement"] & object,
): Promise<CommandPreviewed["output"]> {
  const id = newId();
  await host.proc.start(
    {
      id,
      argv,
      cwd,
      env,
      ...(keepEnv === undefined ? {} : { keepEnv }),
      stdin: "none",
      limits: { timeoutMs, maxOutputBytes },
      confinement,
    },
    { signal },
  );
  const printed = { stdout: new Printed(), stderr: new Printed() };
  for await (const chunk of host.proc.output(id, 0)) {
    if ("exit" in chunk) {
      const { stdout, stderr } = printed;
      return { stdout: stdout.text(), stderr: stderr.text(), exitCode: chunk.exit.code };
    }
    printed[chunk.stream].add(chunk.bytes);
  }
  throw new ToolError("INTERNAL", "The command that was tried never told its end.");
}

/** The beginning of a stream, and how much more there was. */
class Printed {
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #more = 0;

  add(bytes: Uint8Array): void {
    const taken = bytes.slice(0, keptBytes - this.#kept);
    this.#chunks.push(taken);
    this.#kept += taken.length;
    this.#more += bytes.length - taken.length;
  }

  text(): string {
    const decoder = new TextDecoder();
    const parts = this.#chunks.map((bytes) => decoder.decode(bytes, { stream: true }));
    const text = parts.join("") + decoder.decode();
    return this.#more === 0 ? text : `${text}\n[… ${this.#more} more bytes …]\n`;
  }
}

function cannotTry(because: string): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    `A command cannot be tried here without touching the files. ${because}`,
    { hint: "haft doctor says what would make it work.", retryable: false },
  );
}
