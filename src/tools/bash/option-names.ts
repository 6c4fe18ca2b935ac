import { baseName, isWithin } from "../../text/index.ts";
import { ToolError, type Effect, type Host } from "../../core/index.ts";
import { mayBeOption, type CommandAnalysis, type Invocation } from "../../shell/index.ts";

/**
 * Doubts about programs that get names from a glob or a listing, where a file of that directory has a name that begins
 * with a dash: `wc *` reads the files that another file lists if one is called `--files0-from=list`.
 */
export async function optionNames(
  { invocations, effects }: Pick<CommandAnalysis, "invocations" | "effects">,
  host: Host,
): Promise<readonly Effect[]> {
  const given = invocations.filter(takesNames);
  if (given.length === 0) return [];
  const found: Effect[] = [];
  const names = new Map<string, Promise<string | undefined>>();
  for (const { name = "", span, folders } of given) {
    // Without a known directory, the names may come from anywhere and are asked about for that.
    for (const folder of folders ?? []) {
      const seen = names.get(folder) ?? optionLikeName(host, folder);
      names.set(folder, seen);
      const option = writtenOption(effects, folder) ?? (await seen);
      if (option === undefined) continue;
      const because = `${option} in ${folder} could be an option of ${name}; put -- before the names, or ./ before the pattern`;
      found.push({ kind: "unknown", because, origin: name, span, by: span });
      break;
    }
  }
  return found;
}

/** Whether a word may become a name of the present directory that begins with a dash. */
function takesNames({ argv }: Invocation): boolean {
  const words = argv.slice(1);
  const end = words.indexOf("--");
  return words
    .slice(0, end === -1 ? undefined : end)
    .some((word) => typeof word !== "string" && mayBeOption(word));
}

/** Name that the command itself may write into the directory before its program gets the names. */
function writtenOption(effects: readonly Effect[], folder: string): string | undefined {
  for (const effect of effects) {
    if (effect.kind !== "write" || effect.change === "delete") continue;
    if (effect.scope === "tree" && isWithin(effect.path, folder)) return "A name that is written";
    if (effect.scope === "file" && baseName(effect.path).startsWith("-")) {
      return baseName(effect.path);
    }
  }
  return undefined;
}

/** First name in a directory that begins with a dash. */
async function optionLikeName(host: Host, folder: string): Promise<string | undefined> {
  try {
    for await (const { name } of host.fs.list(folder)) {
      if (name.startsWith("-")) return name;
    }
    return undefined;
  } catch (error) {
    const isEmpty = ToolError.is(error) && /^NOT_(?:FOUND|A_DIRECTORY)$/u.test(error.code);
    return isEmpty ? undefined : "A name that cannot be listed";
  }
}
