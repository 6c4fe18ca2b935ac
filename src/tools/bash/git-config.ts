import { joinPath, parentPath, ToolError, type Host } from "../../core/index.ts";

/** A repository's own configuration by dotted key, or why it cannot be told. */
export type RepositoryConfig =
  | { readonly kind: "known"; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: "unclear"; readonly because: string };

const nothing: RepositoryConfig = { kind: "known", settings: {} };
/** A configuration is small; a larger file is something else. */
const maxBytes = 1_000_000;

/**
 * Reads what git would read of the repository that holds `folder`: its `config`, also of a worktree, without
 * starting git. The person's own configuration in their home is theirs and not looked at.
 */
export async function repositoryConfig(host: Host, folder: string): Promise<RepositoryConfig> {
  try {
    // git looks for its folder upwards from where it really is.
    const directory = await gitDirectory(host, await host.fs.canonical(folder));
    if (directory === undefined) return nothing;
    const texts = await Promise.all(
      ["config", "config.worktree"].map((name) => textOf(host, joinPath(directory.common, name))),
    );
    if (directory.own !== directory.common) {
      texts.push(await textOf(host, joinPath(directory.own, "config.worktree")));
    }
    return parse(texts.filter((text) => text !== undefined).join("\n"));
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return {
      kind: "unclear",
      because: `the repository's configuration cannot be read: ${because}`,
    };
  }
}

interface GitDirectory {
  readonly own: string;
  /** Where worktrees of one repository keep what they share. */
  readonly common: string;
}

async function gitDirectory(host: Host, folder: string): Promise<GitDirectory | undefined> {
  for (let at = folder; ; at = parentPath(at)) {
    const link = joinPath(at, ".git");
    const kind = await kindOf(host, link);
    if (kind === "directory") return { own: link, common: link };
    if (kind === "file") {
      const target = /^gitdir: (?<path>.+)$/mu.exec((await textOf(host, link)) ?? "")?.groups?.[
        "path"
      ];
      if (target === undefined) throw new Error(`${link} names no folder`);
      const own = await host.fs.canonical(target, { base: at });
      const common = (await textOf(host, joinPath(own, "commondir")))?.trim();
      return {
        own,
        common: common === undefined ? own : await host.fs.canonical(common, { base: own }),
      };
    }
    if (kind !== undefined) throw new Error(`${link} is a ${kind}`);
    // A bare repository is one by its files, not by its name.
    if (
      (await kindOf(host, joinPath(at, "HEAD"))) === "file" &&
      (await kindOf(host, joinPath(at, "objects"))) === "directory"
    ) {
      return { own: at, common: at };
    }
    if (at === "/") return undefined;
  }
}

async function kindOf(host: Host, path: string): Promise<string | undefined> {
  try {
    return (await host.fs.stat(await host.fs.canonical(path))).kind;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function textOf(host: Host, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await host.fs.readFile(await host.fs.canonical(path), { maxBytes });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "NOT_A_DIRECTORY");
}

/** The format of git-config(1): sections in brackets, sub-sections in quotes, `key = value` lines. */
function parse(text: string): RepositoryConfig {
  const settings: Record<string, string> = {};
  let section = "";
  for (const raw of text.replaceAll(/\\\r?\n/gu, "").split(/\r?\n/u)) {
    let line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const header = /^\[\s*(?<name>[\w.-]+)(?:\s+"(?<sub>(?:[^"\\]|\\.)*)")?\s*\]/u.exec(line);
    if (header?.groups !== undefined) {
      const { name = "", sub } = header.groups;
      section = sub === undefined ? name : `${name}.${sub}`;
      if (/^include(?:if)?$/iu.test(name)) {
        return { kind: "unclear", because: "the repository's configuration includes another file" };
      }
      line = line.slice(header[0].length).trim();
      if (line === "") continue;
    } else if (line.startsWith("[")) {
      return { kind: "unclear", because: "the repository's configuration cannot be understood" };
    }
    const equals = line.indexOf("=");
    const key = equals < 0 ? line : line.slice(0, equals).trim();
    settings[`${section}.${key}`] = equals < 0 ? "true" : line.slice(equals + 1).trim();
  }
  return { kind: "known", settings };
}
