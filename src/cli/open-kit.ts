import { createToolkit, ToolError, type Kit, type ToolkitOptions } from "../index.ts";
import { toolkitOptions, type KitValues } from "./options.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Opens the toolkit that a command line describes. An option that cannot be applied, such as a missing directory or an
 * invalid rule, is a usage error; problems of rules in files are printed and stop nothing.
 */
export async function openKit(
  values: KitValues,
  terminal: Terminal,
  more: Partial<ToolkitOptions> = {},
): Promise<Kit> {
  const kit = await openQuietly(values, terminal, more);
  for (const problem of kit.workspace.problems) {
    const { severity, message, hint, file, line } = problem;
    const place = file === undefined ? [] : [`${file}${line === undefined ? "" : `:${line}`}`];
    const about = "rule" in problem ? [`${problem.list} rule ${problem.rule}`, ...place] : place;
    const mark = terminal.style(severity === "error" ? "red" : "yellow", severity);
    terminal.err(
      `${[mark, ...about].join(": ")}: ${message}${hint === undefined ? "" : ` ${hint}`}\n`,
    );
  }
  return kit;
}

/** Opens the toolkit for a verb that itself shows problems of settings and rules. */
export async function openQuietly(
  values: KitValues,
  terminal: Terminal,
  more: Partial<ToolkitOptions> = {},
): Promise<Kit> {
  const model = terminal.env["HAFT_MODEL"] ?? "";
  const named = model === "" ? {} : { model };
  const kit = await open({ ...toolkitOptions(values, terminal), ...named, ...more });
  const broken = kit.workspace.problems.find(
    (problem) => "rule" in problem && problem.scope === "option" && problem.severity === "error",
  );
  if (broken !== undefined && "rule" in broken) {
    await kit.dispose();
    throw new UsageError(
      `--${broken.list} ${broken.rule} cannot be read: ${broken.message}`,
      [broken.hint, "A rule is written as in 'Bash(npm test)' or 'Edit(src/**)'."]
        .filter((each) => each !== undefined)
        .join(" "),
    );
  }
  return kit;
}

async function open(options: ToolkitOptions): Promise<Kit> {
  try {
    return await createToolkit(options);
  } catch (error) {
    if (ToolError.is(error)) throw new UsageError(error.message, error.hint);
    // Invalid options of the toolkit; here they came from the command line.
    if (error instanceof TypeError) throw usageError(error);
    throw error;
  }
}

/** Its message ends with its hint, which is a line of its own here. */
function usageError(error: TypeError & { readonly hint?: unknown }): UsageError {
  const { message, hint } = error;
  return typeof hint === "string" && message.endsWith(` ${hint}`)
    ? new UsageError(message.slice(0, -hint.length - 1), hint)
    : new UsageError(message);
}
