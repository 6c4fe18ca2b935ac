import { type Host } from "../../core/index.ts";
import { isNotFound } from "../../text/index.ts";

/** A file that a project or a user brings, as it was read. */
export interface CheckedFile {
  /** Absolute path. */
  readonly path: string;
  /** Content of the file. */
  readonly kind:
    | "settings"
    | "MCP servers"
    | "instructions"
    | "command"
    | "agent"
    | "skill"
    | "plugin";
  /** Servers, commands or other parts that were found in it. */
  readonly entries: number;
  /** Problems that were found in it. */
  readonly problems: readonly FileProblem[];
}

/** A part of a file that was not taken as it is, for the user. */
export interface FileProblem {
  /** `error`: what it is about does not apply; `warning`: it applies. */
  readonly severity: "error" | "warning";
  /** Problem, in one sentence. */
  readonly message: string;
  /** Next step. */
  readonly hint?: string;
  /** File of a plugin that it is in, below the plugin's directory; absent for the checked file itself. */
  readonly file?: string;
  /** Line, from 1. */
  readonly line?: number;
}

/** Bytes of a file of a project that are read. */
export const maxFileBytes = 4_000_000;

type ReadFile =
  | { readonly text: string; readonly hash: string }
  | { readonly problem: FileProblem; readonly hash: undefined };

/** Reads a file that may be absent. One that cannot be read is a problem. */
export async function readProjectFile(
  path: string,
  { fs }: Pick<Host, "fs">,
  maxBytes: number = maxFileBytes,
): Promise<ReadFile | undefined> {
  try {
    const { bytes, hash } = await fs.readFile(await fs.canonical(path), { maxBytes });
    return { text: new TextDecoder().decode(bytes), hash };
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    const reason = error instanceof Error ? error.message : String(error);
    const hint = `Make it a file of at most ${maxBytes} bytes that can be read.`;
    return {
      hash: undefined,
      problem: { severity: "error", message: `It cannot be read. ${reason}`, hint },
    };
  }
}
