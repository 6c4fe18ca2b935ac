import { ToolError, type CodeFinding } from "../../core/index.ts";
import { messageOf, visibleText } from "../../text/index.ts";
import type { CheckPrograms } from "../programs.ts";
import type { TimeLimit } from "../lsp/time-limit.ts";
import { readOutput } from "./read-output.ts";

/** A program of the settings that checks files. */
export interface CheckerConfig {
  readonly name: string;
  /** Program and arguments; `{files}` stands for the checked files. */
  readonly command: readonly string[];
  readonly knows: (path: string) => boolean;
  /** Milliseconds of one run. */
  readonly timeoutMs: number | undefined;
  /** File of the workspace that names it; undefined for one that needs no trust. */
  readonly file?: string | undefined;
}

/** Bytes of output that are read; a checker that prints more has not said what is wrong with one edit. */
const maxOutputBytes = 4_000_000;
const filesWord = "{files}";

/** Runs a checker on files as they are on disk. */
export class Checker {
  readonly config: CheckerConfig;
  readonly #programs: CheckPrograms;
  #failure: ToolError | undefined;

  constructor(config: CheckerConfig, programs: CheckPrograms) {
    this.config = config;
    this.#programs = programs;
  }

  /** Failure of the last run. */
  get failure(): ToolError | undefined {
    return this.#failure;
  }

  /** Problems of the files; undefined where the checker did not finish. Never rejects. */
  async run(
    paths: readonly string[],
    limit: TimeLimit,
  ): Promise<readonly CodeFinding[] | undefined> {
    try {
      const found = await this.#run(paths, limit);
      this.#failure = undefined;
      return found.filter(({ path }) => paths.includes(path));
    } catch (error) {
      const { name } = this.config;
      if (limit.signal?.aborted !== true) {
        this.#failure = ToolError.is(error)
          ? error
          : new ToolError("INTERNAL", `${name} could not be run: ${messageOf(error)}`);
      }
      return undefined;
    }
  }

  async #run(paths: readonly string[], limit: TimeLimit): Promise<readonly CodeFinding[]> {
    const { name, command, timeoutMs, file } = this.config;
    const { host, newId, workspace, verify, confine } = this.#programs;
    const argv = command.flatMap((word) => (word === filesWord ? paths : [word]));
    const id = newId();
    await verify({ command, file });
    const opened = await confine(argv);
    const { confinement } = opened;
    const ms = Math.max(1, Math.min(limit.left(), timeoutMs ?? Number.POSITIVE_INFINITY));
    const { signal } = limit;
    await host.proc.start(
      {
        id,
        argv,
        cwd: workspace,
        limits: { timeoutMs: ms, maxOutputBytes, terminateMs: 200, killMs: 500 },
        live: true,
        ...(confinement === undefined ? {} : { confinement }),
      },
      signal === undefined ? {} : { signal },
    );
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const text = { stdout: "", stderr: "" };
    for await (const chunk of host.proc.output(id, 0)) {
      if (!("exit" in chunk)) {
        text[chunk.stream] += decoders[chunk.stream].decode(chunk.bytes, { stream: true });
        continue;
      }
      const { exit } = chunk;
      await opened.close([{ ...exit, stderr: text.stderr, cwd: workspace }]).catch(() => undefined);
      if (exit.endedBy !== undefined || exit.code === null) {
        throw new ToolError("TIMEOUT", `${name} did not finish: ${exit.endedBy ?? exit.signal}.`, {
          hint: "Let it check fewer files, or use a language server.",
        });
      }
      const found = readOutput({ name, text: `${text.stdout}\n${text.stderr}`.trim(), workspace });
      if (found.length === 0 && exit.code !== 0) throw this.#silent(exit.code, text);
      return found;
    }
    throw new ToolError("UNAVAILABLE", `${name} ended without a result.`);
  }

  /** A checker that fails without naming a problem has not checked anything. */
  #silent(code: number, text: { readonly stdout: string; readonly stderr: string }): ToolError {
    const said = visibleText(`${text.stderr}\n${text.stdout}`.trim()).slice(0, 500);
    return new ToolError(
      "COMMAND_FAILED",
      `${this.config.name} ended with exit code ${code} and named no problem. ${said}`.trim(),
      { hint: `Correct the setting diagnostics.checkers for ${this.config.name}.` },
    );
  }
}
