import { ToolError, type EffectContext } from "../../../core/index.ts";
import { statOrMissing } from "./missing-path.ts";
import { takenLiterally, type TakenLiterally } from "./literal-names.ts";

/**
 * Refuses to create a file at a path that was probably not meant as a name: a URL, `~`, a variable, quotes, the `@` of
 * a mention. Runs while the effects of a call are listed. If a file of exactly that name exists, the name is meant.
 *
 * The path is not replaced by the intended one: hooks see the input unchanged, and would have judged another path.
 */
export async function refuseStrayName(asked: string, context: EffectContext): Promise<void> {
  const found =
    takenLiterally(asked, context.host.info.home) ??
    folderForm(asked) ??
    (await meantElsewhere(asked, context));
  if (found === undefined || (await isThere(asked, context))) return;
  throw strayName(asked, found);
}

/** Error with the reason why a path was probably not meant as a name, and with the path to use instead. */
export function strayName(asked: string, found: TakenLiterally): ToolError {
  const { because, plain, isNeverMeant } = found;
  const instead = plain === undefined ? "Pass a plain path." : `Pass the plain path: ${plain}`;
  const literal = ` (or ./${asked} for a file of this very name)`;
  return new ToolError("INVALID_INPUT", because, {
    hint: `${instead}${isNeverMeant === true ? "" : literal}`,
    // The code of a path that the file system rejects, so that the call is refused before the user is asked.
    data: { errno: "EINVAL", ...(plain === undefined ? {} : { suggestions: [plain] }) },
  });
}

function folderForm(asked: string): TakenLiterally | undefined {
  if (!asked.endsWith("/")) return undefined;
  return {
    because: `${asked} ends with / and so names a directory.`,
    plain: undefined,
    isNeverMeant: true,
  };
}

/** Checks that need the existing directories: for a mention, and for the separators of another system. */
async function meantElsewhere(
  asked: string,
  context: EffectContext,
): Promise<TakenLiterally | undefined> {
  const isMention = asked.startsWith("@");
  // systemd and other programs escape single characters in this way.
  const isSeparated = /\\(?!x[\da-f]{2})/iu.test(asked);
  if (!isMention && !isSeparated) return undefined;
  const plain = isMention ? asked.slice(1) : asked.replaceAll("\\", "/");
  const isMeant = plain === "" || (await isThere(firstOf(asked), context));
  if (isMeant || !(await isThere(firstOf(plain), context))) return undefined;
  const because = isMention
    ? `${asked} begins with the @ of a mention; ${firstOf(plain)} is there, ${firstOf(asked)} is not.`
    : `${asked} has backslashes in its name; directories are separated by /.`;
  return { because, plain };
}

async function isThere(path: string, context: EffectContext): Promise<boolean> {
  const { host, cwd, signal } = context;
  const canonical = await host.fs.canonical(path, { base: cwd, signal });
  return (await statOrMissing(canonical, context)) !== undefined;
}

/** First segment of a path. */
function firstOf(path: string): string {
  return /^\/*[^/]*/u.exec(path)?.[0] ?? path;
}
