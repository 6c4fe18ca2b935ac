import { createToolkit, ToolError, type Kit, type ToolkitOptions } from "../index.ts";
import { toolkitOptions, type KitValues } from "./options.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The toolkit a command line names. What cannot be opened as told, a folder that is not there or a rule that cannot
 * be read, is an error of usage; what is wrong with rules in files is said and does not stop anything.
 */
export async function openKit(
  values: KitValues,
  terminal: Terminal,
  more: Partial<ToolkitOptions> = {},
): Promise<Kit> {
  const kit = await open({ ...toolkitOptions(values, terminal), ...more });
  const broken = kit.problems.find(
    ({ scope, severity }) => scope === "option" && severity === "error",
  );
  if (broken !== undefined) {
    await kit.dispose();
    throw new UsageError(
      `--${broken.list} ${broken.rule} cannot be read: ${broken.message}`,
      broken.hint ?? "A rule is written as in 'Bash(npm test)' or 'Edit(src/**)'.",
    );
  }
  for (const { severity, scope, list, rule, message, file, line } of kit.problems) {
    const place = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`;
    const mark = terminal.style(severity === "error" ? "red" : "yellow", severity);
    terminal.err(`${mark}: ${list} rule ${rule} (${place}): ${message}\n`);
  }
  return kit;
}

async function open(options: ToolkitOptions): Promise<Kit> {
  try {
    return await createToolkit(options);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    throw new UsageError(error.message, error.hint);
  }
}
