import { ToolError, type EndedProgram, type Host, type SandboxReport } from "../../core/index.ts";
import type { RunConfinedOptions } from "../options/options.ts";
import { confinePrograms, type ConfiningParts } from "./confine-programs.ts";

/** Result of a program in a sandbox. */
export interface ConfinedRun {
  /** Exit code; null if a signal ended the program. */
  readonly code: number | null;
  /** Signal that ended the program, such as `SIGKILL`; null if it exited. */
  readonly signal: string | null;
  /** Confinement in which it ran. */
  readonly report: SandboxReport;
  /** Notes on refused actions and on changes that the user should check. */
  readonly notes: readonly string[];
}

/**
 * Runs a program of the user's in the sandbox that commands of this kit get. Rejects with UNAVAILABLE if no sandbox
 * works here: it never runs unconfined.
 */
export async function runConfined(
  given: ConfiningParts & { readonly id: string },
  argv: readonly string[],
  { onOutput, signal }: RunConfinedOptions,
): Promise<ConfinedRun> {
  const { host, place, id } = given;
  const { workspace } = place;
  const opened = await confinePrograms(given)(argv);
  const { confinement, report } = opened;
  if (confinement === undefined) {
    throw new ToolError(
      "UNAVAILABLE",
      "No sandbox here can confine this program, so it was not run.",
      {
        hint: "haft doctor says what would; some programs, such as sudo and docker, work in no sandbox.",
        data: { report },
      },
    );
  }
  const options = signal === undefined ? {} : { signal };
  await host.proc.start({ id, argv, cwd: workspace, confinement }, options);
  const ended = await read(host, id, onOutput);
  const { notes } = await opened.close([{ ...ended, cwd: workspace }]);
  return { code: ended.code, signal: ended.signal, report, notes };
}

/** Characters of output stored: enough for the error message a program ends with. */
const tailChars = 16_384;

async function read(
  host: Host,
  id: string,
  onOutput: RunConfinedOptions["onOutput"],
): Promise<Omit<EndedProgram, "cwd">> {
  const decoder = new TextDecoder();
  let stderr = "";
  for await (const chunk of host.proc.output(id, 0)) {
    if ("exit" in chunk) return { code: chunk.exit.code, signal: chunk.exit.signal, stderr };
    onOutput?.(chunk.bytes, chunk.stream);
    if (chunk.stream === "stderr") {
      stderr = (stderr + decoder.decode(chunk.bytes, { stream: true })).slice(-tailChars);
    }
  }
  return { code: null, signal: null, stderr };
}
