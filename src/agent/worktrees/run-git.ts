import { ToolError, type Host, type ProcessExit } from "../../core/index.ts";

export interface GitResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs git in a directory. */
export interface Git {
  (directory: string, ...words: readonly string[]): Promise<GitResult>;
}

/** Settings of a repository that would start programs; haft starts none of them. */
const quiet = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.alternateRefsCommand=true",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

const limits = { timeoutMs: 600_000, maxOutputBytes: 10_000_000 };

/** Starts git on the host, without the variables that could name another repository. */
export function gitOn(host: Host, newId: (prefix: string) => string, signal?: AbortSignal): Git {
  return async (directory, ...words) => {
    const id = newId("git");
    const spec = {
      id,
      argv: ["git", ...quiet, ...words],
      cwd: directory,
      keepEnv: ["HOME", "PATH", "XDG_CONFIG_HOME", "LC_*", "LANG", "SYSTEMROOT", "USERPROFILE"],
      env: {
        GIT_TERMINAL_PROMPT: "0",
        GIT_OPTIONAL_LOCKS: "0",
        // A missing object would be fetched with a program that the repository names.
        GIT_NO_LAZY_FETCH: "1",
        GIT_ALLOW_PROTOCOL: words.includes("fetch") ? "file" : "none",
      },
      limits,
    };
    try {
      await host.proc.start(spec, signal === undefined ? {} : { signal });
    } catch (cause) {
      if (!ToolError.is(cause) || (cause.code !== "NOT_FOUND" && cause.code !== "UNAVAILABLE"))
        throw cause;
      throw new ToolError("UNAVAILABLE", "A worktree needs git, which is not installed here.", {
        hint: "Install git, or start the agent without a worktree.",
        cause,
      });
    }
    const texts = { stdout: "", stderr: "" };
    const decoder = new TextDecoder();
    let exit: ProcessExit = { code: null, signal: null, leftRunning: [] };
    for await (const chunk of host.proc.output(id, 0)) {
      if ("exit" in chunk) exit = chunk.exit;
      else texts[chunk.stream] += decoder.decode(chunk.bytes);
    }
    return { code: exit.code, out: texts.stdout.trim(), err: texts.stderr.trim() };
  };
}

/** Output of a git command that must succeed. */
export async function gitOutput(result: Promise<GitResult>, what: string): Promise<string> {
  const { code, out, err } = await result;
  if (code === 0) return out;
  const [reason = "git failed"] = err.split("\n").filter((line) => line !== "");
  throw new ToolError("COMMAND_FAILED", `${what}: ${reason}`, {
    hint: "Start the agent without a worktree, or fix the repository.",
  });
}

/**
 * Options that switch off the filters of a repository's own settings: git would run their programs to compare files.
 * Those of the user's settings stay.
 */
export async function withoutOwnFilters(git: Git, directory: string): Promise<readonly string[]> {
  const words = [
    "--includes",
    "--show-scope",
    "--name-only",
    "--get-regexp",
    String.raw`^filter\.`,
  ];
  const { code, out, err } = await git(directory, "config", ...words);
  if (code === 1) return [];
  if (code !== 0) {
    throw new ToolError("COMMAND_FAILED", `The settings of the repository are unknown: ${err}`, {
      hint: "Start the agent without a worktree, or fix the repository.",
    });
  }
  const names = out.split("\n").flatMap((line) => {
    const name = /^(?:local|worktree|unknown)\t(filter\..*)\.[^.]+$/u.exec(line)?.[1];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].flatMap((end) => ["-c", `${name}.${end}`]),
  );
}
