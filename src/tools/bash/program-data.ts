import { isWithin, joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type Effect, type Host } from "../../core/index.ts";
import type { CommandAnalysis, Invocation } from "../../shell/index.ts";

interface Place {
  readonly host: Host;
  readonly workspace: string;
}

/**
 * Doubts about programs that obey a file of the workspace beyond what their words say: settings of npm that create
 * directories or name programs, and archives whose members lie elsewhere.
 */
export async function dataDoubts(
  { invocations, effects }: Pick<CommandAnalysis, "invocations" | "effects">,
  { host, workspace }: Place,
): Promise<readonly Effect[]> {
  const found: Effect[] = [];
  for (const run of invocations) {
    const { name = "", span } = run;
    let because: string | undefined;
    if (name === "npm") because = await npmDoubt(run, { host, workspace });
    else if (readsArchives.test(name)) because = await archiveDoubt(run, effects, host);
    if (because !== undefined)
      found.push({ kind: "unknown", because, origin: name, span, by: span });
  }
  return found;
}

/** Settings with which npm neither writes elsewhere nor starts anything when it only answers. */
const plainSettings: ReadonlySet<string> = new Set(
  "registry save save-dev save-exact save-prefix engine-strict fund audit audit-level loglevel progress color package-lock legacy-peer-deps strict-peer-deps strict-peer-dependencies update-notifier ignore-scripts access provenance tag-version-prefix git-tag-version prefer-offline prefer-dedupe install-strategy omit include min-release-age auto-install-peers shamefully-hoist node-linker public-hoist-pattern always-auth lockfile-version resolution-mode link-workspace-packages hoist fetch-retries fetch-timeout maxsockets strict-ssl workspaces-update".split(
    " ",
  ),
);

/** Reason to doubt npm where it would start: a setting of the project, in the directory or above it. */
async function npmDoubt(
  { folders }: Invocation,
  { host, workspace }: Place,
): Promise<string | undefined> {
  for (const folder of folders ?? []) {
    let at = await host.fs.canonical(folder);
    for (; isWithin(workspace, at); at = parentPath(at)) {
      const file = joinPath(at, ".npmrc");
      const setting = await unusualSetting(host, file);
      if (setting !== undefined) return `${file} has ${setting}, which npm obeys`;
      if (at === "/") break;
    }
  }
  return undefined;
}

async function unusualSetting(host: Host, file: string): Promise<string | undefined> {
  const bytes = await startOf(host, file, maxSettings + 1);
  if (bytes === undefined) return undefined;
  if (bytes === "unknown" || bytes.byteLength > maxSettings) return "settings that are not read";
  for (const line of new TextDecoder().decode(bytes).split(/[\r\n]+/u)) {
    const key = line.replace(/=.*$/su, "").trim();
    if (key === "" || /^[;#]/u.test(key)) continue;
    const isPlain = plainSettings.has(key) || /^(?:@[\w.-]+:registry|\/\/\S*:_?\w+)$/u.test(key);
    if (!isPlain) return `the setting ${key.slice(0, 80)}`;
  }
  return undefined;
}

/** Maximum bytes of settings that are read. */
const maxSettings = 100_000;
/** Maximum bytes of an archive in which others are looked for. */
const maxArchive = 50_000_000;

const readsArchives = /^(?:[\w.-]*-)?(?:nm|size|objdump|readelf)$/u;

/** Reason to doubt a program that reads archives: a thin one names files anywhere, which it opens. */
async function archiveDoubt(
  { span, folders }: Invocation,
  effects: readonly Effect[],
  host: Host,
): Promise<string | undefined> {
  const isOwn = (effect: Effect): boolean =>
    "by" in effect && effect.by?.start === span.start && effect.by.end === span.end;
  // Without a name, they read a.out.
  const paths = (folders ?? []).map((folder) => joinPath(folder, "a.out"));
  for (const effect of effects) {
    if (effect.kind !== "read" || !isOwn(effect)) continue;
    if (effect.scope === "tree") return "an archive among the files may name others anywhere";
    paths.push(effect.path);
  }
  for (const path of paths) {
    const isWritten = effects.some((each) => each.kind === "write" && isWithin(each.path, path));
    if (isWritten || (await isThin(host, await host.fs.canonical(path)))) {
      return `${path} may be an archive that names files anywhere`;
    }
  }
  return undefined;
}

async function isThin(host: Host, path: string): Promise<boolean> {
  const head = await startOf(host, path, 8);
  if (head === undefined) return false;
  if (head === "unknown") return true;
  const kind = new TextDecoder("latin1").decode(head);
  if (kind !== "!<arch>\n") return kind === "!<thin>\n";
  // A member of an archive may be a thin one.
  const whole = await startOf(host, path, maxArchive + 1);
  if (whole === undefined || whole === "unknown" || whole.byteLength > maxArchive) return true;
  return new TextDecoder("latin1").decode(whole).includes("!<thin>\n");
}

/** First bytes of a file; undefined if there is none. */
async function startOf(
  host: Host,
  path: string,
  length: number,
): Promise<Uint8Array | undefined | "unknown"> {
  try {
    return await host.fs.readRange(await host.fs.canonical(path), { offset: 0, length });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return /^(?:NOT_FOUND|NOT_A_DIRECTORY|IS_DIRECTORY)$/u.test(error.code) ? undefined : "unknown";
  }
}
