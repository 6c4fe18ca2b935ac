import { ToolError, type Host, type HostStat } from "../../core/index.ts";
import { inBatches, joinPath, pathBelow } from "../../text/index.ts";
import type { HookHandler } from "./hook.ts";

/** Endings of files that an interpreter runs. */
const scriptEnding =
  /\.(?:sh|bash|zsh|fish|ksh|m?js|cjs|[mc]?ts|jsx|tsx|py|rb|pl|php|lua|ps1|awk|jq|mts|cts|r)$/iu;

/** Maximum number of words of one command that are looked up. */
const maxWords = 200;

export interface NamedFilesOptions {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  /** Results by path below the workspace, for hooks that are looked at together: many name the same programs. */
  readonly stats?: Map<string, Promise<HostStat | undefined>>;
}

/**
 * Files of the workspace that a hook runs: words of its command that name a script or an executable file. They count as
 * part of the hook, so that a change of them needs trust like a change of the hook itself.
 */
export async function filesRunBy(
  handler: HookHandler,
  { host, workspace, stats = new Map() }: NamedFilesOptions,
): Promise<readonly string[]> {
  if (handler.type !== "command") return [];
  const words = wordsOf([handler.command, ...(handler.args ?? [])].join(" "), workspace);
  const names = words.map((word) =>
    pathBelow(workspace, word.startsWith("/") ? word : joinPath(workspace, word)),
  );
  const found = await inBatches([...new Set(names)], async (name) => {
    if (name === undefined || name === "") return [];
    const lookup = stats.get(name) ?? host.fs.stat(`${workspace}/${name}`).catch(() => undefined);
    stats.set(name, lookup);
    const stat = await lookup;
    const isFile = stat?.kind === "file" || stat?.kind === "symlink";
    // A script that does not exist yet counts as well: it could be written later.
    const isScript = scriptEnding.test(name) && (stat === undefined || isFile);
    return isScript || (isFile && ((stat?.mode ?? 0) & 0o111) !== 0) ? [name] : [];
  });
  return found.flat();
}

/** Programs that run the file which is their first argument. */
const interpreters =
  /^(?:bash|sh|zsh|fish|ksh|node|bun|deno|tsx|python|python3|ruby|perl|php|lua|pwsh)$/u;

/**
 * Path of the script that a hook runs, as it is written, if there is no such file: the hook will fail. Undefined for a
 * command that a shell would have to understand, because it may test for the file or write it.
 */
export async function missingScript(
  handler: HookHandler,
  { host, workspace }: NamedFilesOptions,
): Promise<string | undefined> {
  if (handler.type !== "command") return undefined;
  const text = [handler.command, ...(handler.args ?? [])].join(" ");
  if (/[;&|<>()[\]`\n]/u.test(text)) return undefined;
  const [program = "", argument = ""] = wordsOf(text, workspace);
  const script = interpreters.test(program) ? argument : program;
  if (!scriptEnding.test(script) || !script.includes("/") || /[$*?~{}]/u.test(script)) {
    return undefined;
  }
  const path = script.startsWith("/") ? script : joinPath(workspace, script);
  try {
    await host.fs.stat(path);
    return undefined;
  } catch (error) {
    return ToolError.is(error) && error.code === "NOT_FOUND" ? script : undefined;
  }
}

/** Words of a command as a shell would see them, near enough to find paths in it. */
function wordsOf(command: string, workspace: string): readonly string[] {
  const words = command
    .replaceAll(/\$\{?(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|PWD)\b\}?/gu, () => workspace)
    .replaceAll(/["'\\]/gu, "")
    .split(/[\s;|&<>()`=]+/u)
    .filter((word) => word !== "" && !word.startsWith("-"));
  return words.slice(0, maxWords);
}
