import { ToolError, type EffectContext } from "../../core/index.ts";
import { statOrMissing } from "./missing-path.ts";
import { takenLiterally, type TakenLiterally } from "./taken-literally.ts";

/**
 * Refuses to make a file at a path that was hardly meant as a name: a URL, `~`, a variable, quotes, the `@` of a mention.
 * Asked while the effects of a call are listed. Where a file of that very name is there, it is meant.
 *
 * Not read as what it stands for: hooks see the input as it is, and would have judged another path.
 */
export async function refuseStrayName(asked: string, context: EffectContext): Promise<void> {
  const found =
    takenLiterally(asked, context.host.info.home) ??
    folderForm(asked) ??
    (await meantElsewhere(asked, context));
  if (found === undefined || (await isThere(asked, context))) return;
  throw strayName(asked, found);
}

/** The error that says why a path is hardly meant as a name, and what to pass instead. */
export function strayName(asked: string, found: TakenLiterally): ToolError {
  const { because, plain, isNeverMeant } = found;
  const instead = plain === undefined ? "Pass a plain path." : `Pass the plain path: ${plain}`;
  const literal = ` (or ./${asked} for a file of this very name)`;
  return new ToolError("INVALID_INPUT", because, {
    hint: `${instead}${isNeverMeant === true ? "" : literal}`,
    // As what the file system does not take: such a call is refused before anybody is asked.
    data: { errno: "EINVAL", ...(plain === undefined ? {} : { suggestions: [plain] }) },
  });
}

function folderForm(asked: string): TakenLiterally | undefined {
  if (!asked.endsWith("/")) return undefined;
  return {
    because: `${asked} ends with / and so names a folder.`,
    plain: undefined,
    isNeverMeant: true,
  };
}

/** What only the folders that are there can tell: a mention, and the separators of another system. */
async function meantElsewhere(
  asked: string,
  context: EffectContext,
): Promise<TakenLiterally | undefined> {
  const isMention = asked.startsWith("@");
  // systemd and others escape single characters in this way.
  const isSeparated = /\\(?!x[\da-f]{2})/iu.test(asked);
  if (!isMention && !isSeparated) return undefined;
  const plain = isMention ? asked.slice(1) : asked.replaceAll("\\", "/");
  const isMeant = plain === "" || (await isThere(firstOf(asked), context));
  if (isMeant || !(await isThere(firstOf(plain), context))) return undefined;
  const because = isMention
    ? `${asked} begins with the @ of a mention; ${firstOf(plain)} is there, ${firstOf(asked)} is not.`
    : `${asked} has backslashes in its name; folders are separated by /.`;
  return { because, plain };
}

async function isThere(path: string, context: EffectContext): Promise<boolean> {
  const { host, cwd, signal } = context;
  const canonical = await host.fs.canonical(path, { base: cwd, signal });
  return (await statOrMissing(canonical, context)) !== undefined;
}

/** The first folder on the way. */
function firstOf(path: string): string {
  return /^\/*[^/]*/u.exec(path)?.[0] ?? path;
}
