import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Confined, ConfinedHelper, ProcessSpec } from "../../../core/index.ts";
import { missingProgram, programRefused } from "../process-error.ts";

/** Variables that the confinement sets itself, to a private directory for temporary files. */
const ownVariables = ["TMPDIR", "TMP", "TEMP"];

export interface ConfinedStart {
  /** Command that is started instead of the program. */
  readonly wrapped: Confined;
  /** The start through a helper that is already confined. */
  readonly helped: { readonly helper: ConfinedHelper; readonly plain: Confined } | undefined;
}

/** Start of a program whose spec requests confinement. */
export async function confinedStart(
  { argv, cwd, env: asked, confinement }: ProcessSpec,
  env: Readonly<Record<string, string>>,
): Promise<ConfinedStart> {
  if (confinement === undefined) throw new TypeError("This program is not confined.");
  const passed = Object.entries(env).filter(
    ([name]) => !ownVariables.includes(name) || asked?.[name] !== undefined,
  );
  checkProgram(argv[0] ?? "", cwd, env["PATH"]);
  const options = { cwd, env: Object.fromEntries(passed) };
  const { helper } = confinement;
  return {
    wrapped: await confinement.wrap(argv, options),
    helped: helper === undefined ? undefined : { helper, plain: helper.plain(argv, options) },
  };
}

/** Checks that the program exists, because the confining command starts even if the program is missing. */
function checkProgram(program: string, cwd: string, searched: string | undefined): void {
  const folders = program.includes("/") ? [""] : (searched ?? "/usr/bin:/bin").split(":");
  let isRefused = false;
  for (const folder of folders) {
    const file = path.resolve(cwd, folder, program);
    if (!isFile(file)) continue;
    try {
      accessSync(file, constants.X_OK);
      return;
    } catch {
      isRefused = true;
    }
  }
  throw isRefused ? programRefused(program) : missingProgram(program);
}

/** False also if the path cannot be read, for example because of a long name or a link to itself. */
function isFile(file: string): boolean {
  try {
    // Without an exception where nothing exists, because most directories of PATH lack the program.
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
