import { ToolError, type DoctorCheck } from "../../core/index.ts";
import type { Diagnostics, DiagnosticsState } from "../../diagnostics/index.ts";
import { visibleText } from "../../text/index.ts";
import type { KitParts } from "../kit-parts.ts";

const name = "diagnostics";

/** Characters of a server's own messages that are shown. */
const maxSaidChars = 500;

/** Reports the checks of edits: the model sees neither their failures nor that a program is missing. */
export async function checkDiagnostics(
  { problems, states }: Pick<Diagnostics, "problems" | "states">,
  parts: Pick<KitParts, "host" | "place">,
): Promise<readonly DoctorCheck[]> {
  const checks = problems.map((text): DoctorCheck => {
    return { name, state: "warning", text, hint: "Correct the setting diagnostics." };
  });
  for (const [index, state] of states().entries()) {
    const isMissing = !state.isRunning && (await isNotInstalled(state.program, index, parts));
    checks.push(isMissing ? missing(state) : stateOf(state));
  }
  return checks;
}

/**
 * Whether the shell finds no program of this name or path, from the workspace, where it would start. False where that
 * cannot be found out.
 */
async function isNotInstalled(
  program: string,
  index: number,
  { host, place }: Pick<KitParts, "host" | "place">,
): Promise<boolean> {
  const argv = [...host.info.shell, 'type -P -- "$1"', "haft", program];
  try {
    const id = `doctor-program-${index}`;
    const started = await host.proc.start({ id, argv, cwd: place.workspace });
    for await (const chunk of host.proc.output(started.id, 0)) {
      if ("exit" in chunk) return chunk.exit.code === 1;
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return false;
}

function missing({ kind, name: each, program }: DiagnosticsState): DoctorCheck {
  const shown = visibleText(program);
  return {
    name,
    state: "warning",
    text: `${kind} ${each}: the program ${shown} is not installed`,
    hint: `Install ${shown}, or correct the setting diagnostics.${kind}s for ${each}.`,
  };
}

function stateOf({ kind, name: each, isRunning, ...state }: DiagnosticsState): DoctorCheck {
  const { peakBytes, failure, log } = state;
  const what = `${kind} ${each}`;
  if (failure !== undefined) {
    const { hint } = failure;
    const said = log === "" ? "" : ` It said: ${log.slice(-maxSaidChars)}`;
    const text = `${what}: ${failure.message}${said}`;
    return { name, state: "warning", text, ...(hint === undefined ? {} : { hint }) };
  }
  const used = peakBytes === 0 ? "" : `, at most ${Math.round(peakBytes / 1_000_000)} MB used`;
  const idle = kind === "server" ? "installed, not started" : "installed";
  return { name, state: "ok", text: `${what}: ${isRunning ? "runs" : idle}${used}` };
}
