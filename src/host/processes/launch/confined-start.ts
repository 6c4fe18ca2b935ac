import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Confined, ConfinedHelper, ProcessSpec } from "../../../core/index.ts";
import { missingProgram, programRefused } from "../process-error.ts";

/** What the confinement decides itself: a folder for temporary files that is not everybody's. */
const ownVariables = ["TMPDIR", "TMP", "TEMP"];

export interface ConfinedStart {
  /** What is started in the place of the program. */
  readonly wrapped: Confined;
  /** The same for a helper that is confined already. */
  readonly helped: { readonly helper: ConfinedHelper; readonly plain: Confined } | undefined;
}

/** How a program is started whose spec names a confinement. */
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

/** What confines a program starts whether or not the program is there, so that is looked at first. */
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

/** What cannot be looked at, for a name too long or a link to itself, is as good as missing. */
function isFile(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
