import { parentPath } from "../../text/index.ts";
import {
  ToolError,
  type EffectContext,
  type ProcessExit,
  type ToolContext,
} from "../../core/index.ts";
import { PathPrograms } from "../files/paths/path-programs.ts";

/** Whether a path is ignored, and the line that decides it. */
export interface IgnoreAnswer {
  readonly path: string;
  readonly isIgnored: boolean;
  /** Undefined if no pattern matches. */
  readonly rule:
    | { readonly file: string; readonly line: number; readonly pattern: string }
    | undefined;
}

/** `-z` allows names of any kind, `-n` answers every path, `--no-index` includes tracked files, which may match too. */
export const checkIgnore: readonly string[] = [
  "git",
  "-c",
  "core.fsmonitor=false",
  "check-ignore",
  "--verbose",
  "--non-matching",
  "-z",
  "--no-index",
  "--stdin",
];

/** Command line and PATH for git, chosen so that no git of the workspace runs. */
export interface GitStart {
  readonly argv: readonly string[];
  readonly PATH: string;
}

/** Undefined if the only git is the workspace's own, which can run arbitrary code. */
export async function gitStart({ host, workspace }: EffectContext): Promise<GitStart | undefined> {
  const { systemProgram } = host.info;
  if (systemProgram !== undefined) {
    const git = systemProgram("git");
    if (git === undefined) return undefined;
    return { argv: [git, ...checkIgnore.slice(1)], PATH: parentPath(git) };
  }
  const programs = new PathPrograms(host, workspace);
  const PATH = (await programs.safePath()).join(":");
  const [name = "git", ...words] = checkIgnore;
  const program = await programs.system(name);
  if (program !== undefined) return { argv: [program, ...words], PATH };
  const isOwn = (await programs.doubt(name)) !== undefined;
  return isOwn ? undefined : { argv: checkIgnore, PATH };
}

const maxOutputBytes = 10_000_000;

/** Asks git about the paths and returns the answers in their order; undefined if there is no git or no repository. */
export async function askGit(
  paths: readonly string[],
  { argv, PATH }: GitStart,
  { host, cwd, signal, callId }: ToolContext,
): Promise<readonly IgnoreAnswer[] | undefined> {
  const id = `gitignore-${callId}`;
  try {
    await host.proc.start(
      {
        id,
        argv,
        cwd,
        stdin: "pipe",
        // Environment variables of git itself could name another repository.
        keepEnv: ["HOME", "XDG_CONFIG_HOME", "LC_*", "LANG", "SYSTEMROOT", "USERPROFILE"],
        env: { GIT_OPTIONAL_LOCKS: "0", PATH },
        limits: { timeoutMs: 10_000, maxOutputBytes },
      },
      { signal },
    );
  } catch (error) {
    if (ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "UNAVAILABLE"))
      return undefined;
    throw error;
  }
  await feed(id, paths, host.proc);
  let exit: ProcessExit = { code: null, signal: null, leftRunning: [] };
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of host.proc.output(id, 0)) {
    if ("exit" in chunk) exit = chunk.exit;
    else if (chunk.stream === "stdout") printed += decoder.decode(chunk.bytes, { stream: true });
  }
  // 1: nothing is ignored. 128 and others: no repository, or a path that git cannot judge.
  return exit.code === 0 || exit.code === 1 ? answersIn(printed) : undefined;
}

async function feed(
  id: string,
  paths: readonly string[],
  proc: ToolContext["host"]["proc"],
): Promise<void> {
  try {
    await proc.write(id, new TextEncoder().encode(paths.map((path) => `${path}\0`).join("")));
    await proc.write(id, "eof");
  } catch (error) {
    // Git ended before it read its input; its exit code gives the reason.
    if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
  }
}

function answersIn(printed: string): readonly IgnoreAnswer[] {
  const fields = printed.split("\0");
  const answers: IgnoreAnswer[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [file = "", line = "", pattern = "", path = ""] = fields.slice(at, at + 4);
    const rule = pattern === "" ? undefined : { file, line: Number(line), pattern };
    answers.push({ path, isIgnored: rule !== undefined && !pattern.startsWith("!"), rule });
  }
  return answers;
}
