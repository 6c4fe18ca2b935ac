import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { loadModel, type Model, type ModelSettings } from "../../entries/agent.ts";
import { ToolError } from "../../index.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export interface OpenModelOptions {
  readonly baseUrl?: string | undefined;
  readonly terminal: Terminal;
  /** Models of the settings. */
  readonly models?: ModelSettings;
  /** Setting that names the model; an error mentions it. Default: the user named it for this run. */
  readonly setting?: string;
}

/**
 * Opens the model that the user named. The file of a script is read here, because only the CLI reads files for the
 * user.
 */
export async function openModel(
  name: string,
  { baseUrl, terminal, models = {}, setting }: OpenModelOptions,
): Promise<Model> {
  try {
    return await loadModel(name, {
      env: terminal.env,
      ...(models.aliases === undefined ? {} : { aliases: models.aliases }),
      ...(models.catalog === undefined ? {} : { catalog: models.catalog }),
      readText: async (path) => await readScript(path, terminal),
      ...(baseUrl === undefined ? {} : { baseUrl }),
    });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    // Nothing has run yet: a model named on the command line or in the environment is unavailable.
    const origin = setting === undefined ? "" : `The setting ${setting} cannot be used. `;
    throw new UsageError(`${origin}${error.message}`, error.hint);
  }
}

async function readScript(path: string, terminal: Terminal): Promise<string> {
  try {
    return await readFile(resolve(terminal.cwd, path), "utf8");
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UsageError(
      `The script ${path} cannot be read (${why}).`,
      "Name a file with a recorded plan, as in --model script:plan.json.",
    );
  }
}
