import {
  baseName,
  isAbsolutePath,
  isNotFound,
  isWithin,
  joinPath,
  parentPath,
  pathExists,
} from "../../text/index.ts";
import { ToolError, type Host } from "../../core/index.ts";
import { directoriesBelow, isRepository, nestedRepository } from "./nested-repository.ts";
import { findImports, looksLikeFile, type ImportMention } from "./find-imports.ts";

/** A file of instructions for the model, as AGENTS.md. */
export interface InstructionFile {
  /** Canonical path. */
  readonly path: string;
  /** Where it comes from: the user, the project, or a directory that a call has touched. */
  readonly origin: "user" | "project" | "directory";
  /** The file that imports it. */
  readonly importedBy?: string;
  /** Text without its imports and without secrets. */
  readonly text: string;
  /**
   * Whether it counts as the user's word; instructions of an untrusted project, and of another repository in a project,
   * are information only.
   */
  readonly isTrusted: boolean;
  /** Directory of another repository in the project, such as a clone, that it belongs to. */
  readonly repository?: string;
}

/** An instruction file or an import that was not read as it is. */
export interface InstructionProblem {
  /** An error means that something was left out. */
  readonly severity: "error" | "warning";
  /** The problem, in a sentence. */
  readonly message: string;
  /** The next step for the user. */
  readonly hint: string;
  /** Path of the file. */
  readonly file: string;
  /** Line of the file, counted from 1. */
  readonly line?: number;
}

/** Instructions for the model, read from files. */
export interface Instructions {
  /** The most general first: the nearest to the workspace comes last and counts most. */
  readonly files: readonly InstructionFile[];
  /** Files and imports that were not read as they are. */
  readonly problems: readonly InstructionProblem[];
}

export interface ReadInstructionsOptions {
  readonly host: Pick<Host, "fs" | "search">;
  /** Canonical path. */
  readonly workspace: string;
  /** Canonical paths of the directories that count as inside, with the workspace. */
  readonly roots: readonly string[];
  readonly home: string;
  readonly trusted: boolean;
  /** Whether the workspace was trusted with a file of this content, by hash. */
  readonly isRecorded: (path: string, hash: string) => boolean;
  /** Why the rules do not let a file be read without a question; undefined if they do. */
  readonly refusal: (file: JudgedFile) => string | undefined;
  /** Returns a text without the secrets in it. */
  readonly redact: (text: string) => string;
}

/** A file that is to be read, for the rules. */
export interface JudgedFile {
  /** Canonical path. */
  readonly path: string;
  /** Path by which it was found; differs from `path` where links lead to it. */
  readonly named: string;
  /** Whether it is part of the user's instructions, which may be anywhere. */
  readonly isOfUser: boolean;
}

/** Limits of what instructions may cost in every request. */
const maxFileBytes = 64_000;
const maxTotalChars = 200_000;
const maxImportDepth = 5;

/** Files of secrets that Read shows without their values. */
const mayHoldSecrets = /(?:^|\/)\.env(?:\.|$)/u;

/** Names of instruction files in a directory. Of two with the same text the first is used. */
const names = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"] as const;

/** Reads the instructions of the user and of the project, from the root of its repository to the workspace. */
export async function readInstructions(options: ReadInstructionsOptions): Promise<Instructions> {
  const { workspace, home } = options;
  const root = await repositoryRoot(options);
  const reading = new Reading(options);
  for (const folder of [`${home}/.haft`, `${home}/.claude`]) {
    await reading.directory(folder, "user", ["AGENTS.md", "CLAUDE.md"]);
  }
  for (const directory of [root, ...directoriesBelow(root, workspace)]) {
    await reading.directory(directory, "project", names);
  }
  return reading.found();
}

/** A file of instructions that was read before. */
export type KnownInstruction = Pick<InstructionFile, "path" | "isTrusted">;

/**
 * Reads the instructions of the directories between the workspace and a path that a call has touched. Files in `known`
 * are not read again, unless they were information and count now.
 */
export async function readDirectoryInstructions(
  path: string,
  options: ReadInstructionsOptions & { readonly known: readonly KnownInstruction[] },
): Promise<Instructions> {
  const { workspace } = options;
  const reading = new Reading(options, options.known);
  for (const directory of directoriesBelow(workspace, path)) {
    await reading.directory(directory, "directory", names);
  }
  return reading.found();
}

/** The nearest directory above the workspace with a repository; the workspace itself without one. */
async function repositoryRoot({ host, workspace, home }: ReadInstructionsOptions): Promise<string> {
  for (let at = workspace; at !== "/" && at !== home; at = parentPath(at)) {
    if (await isRepository(at, host)) return at;
  }
  return workspace;
}

/** Names of directories into which package managers put the code of others, in lower case. */
const dependencyDirectories: ReadonlySet<string> = new Set([
  "node_modules",
  "bower_components",
  "vendor",
  "pods",
  ".venv",
  "venv",
  "virtualenv",
  "site-packages",
  "dist-packages",
  ".tox",
  ".yarn",
]);

/** Whether searches open a directory: git does not ignore it, and it is not the output of a tool. */
async function isVisible(path: string, { search }: Pick<Host, "search">): Promise<boolean> {
  const query = { root: parentPath(path), depth: 1, directoriesOnly: true };
  for await (const event of search.list(query)) {
    if (event.kind === "entry" && event.entry.path === path) return !event.entry.isIgnored;
  }
  return false;
}

interface Wanted {
  readonly path: string;
  /** Directory whose instructions it is part of. */
  readonly directory: string;
  readonly origin: InstructionFile["origin"];
  /** Files that lead to this one by imports, the first is in a directory. */
  readonly chain: readonly string[];
  /** The mention that asks for it, if it is an import. */
  readonly mention?: ImportMention;
  readonly standing: Standing;
}

/** Whose word a file is. */
interface Standing {
  /** Whether it counts as the word of the project or of the user. */
  readonly counts: boolean;
  /** Other repository that names the file, which may name only its own. */
  readonly repository: string | undefined;
}

class Reading {
  readonly #options: ReadInstructionsOptions;
  readonly #known: readonly KnownInstruction[];
  readonly #files: InstructionFile[] = [];
  readonly #problems: InstructionProblem[] = [];
  /** Hashes of files that were read, by path. */
  readonly #hashes = new Map<string, string>();
  #chars = 0;
  #root: string | undefined;

  constructor(options: ReadInstructionsOptions, known: readonly KnownInstruction[] = []) {
    this.#options = options;
    this.#known = known;
  }

  found(): Instructions {
    return { files: this.#files, problems: this.#problems };
  }

  async directory(
    directory: string,
    origin: InstructionFile["origin"],
    fileNames: readonly string[],
  ): Promise<void> {
    const repository = origin === "directory" ? await this.#repositoryOf(directory) : undefined;
    const standing = { counts: repository === undefined, repository };
    for (const name of fileNames) {
      await this.#read({ path: `${directory}/${name}`, directory, origin, chain: [], standing });
    }
  }

  async #read(wanted: Wanted): Promise<void> {
    const { directory, origin, chain, mention, standing } = wanted;
    const path = await this.#accepted(wanted);
    if (path === undefined) return;
    const text = await this.#textOf(path, wanted);
    if (text === undefined || text.trim() === "") return;
    const shown = this.#options.redact(text);
    if (this.#files.some((file) => file.text === shown && this.#isAsGood(file, wanted))) return;
    if (this.#chars + text.length > maxTotalChars) {
      this.#report(wanted, {
        message: `Instructions have more than ${maxTotalChars} characters, so ${path} is left out.`,
        hint: "Shorten them: they are part of every request.",
      });
      return;
    }
    this.#chars += text.length;
    // Imports of a file are shown before it, so that the file itself counts more.
    // A file of another repository counts if the project imports it, and so does what it imports there.
    const repository = await this.#repositoryOf(parentPath(path));
    const below = { counts: standing.counts, repository };
    for (const each of findImports(text)) {
      const next = { directory, origin, chain: [...chain, path], mention: each, standing: below };
      await this.#read({ ...next, path: this.#resolve(each.path, path) });
    }
    const importedBy = mention === undefined ? undefined : chain.at(-1);
    this.#files.push({
      path,
      origin,
      ...(importedBy === undefined ? {} : { importedBy }),
      text: shown,
      isTrusted: this.#isTrusted(wanted),
      ...(standing.counts || repository === undefined ? {} : { repository }),
    });
  }

  #isTrusted({ origin, standing }: Wanted): boolean {
    return origin === "user" || (this.#options.trusted && standing.counts);
  }

  /** Whether a file that was read counts as much as one that is wanted. */
  #isAsGood({ isTrusted }: Pick<InstructionFile, "isTrusted">, wanted: Wanted): boolean {
    return isTrusted || !this.#isTrusted(wanted);
  }

  /** Other repository in the project that a directory belongs to; undefined for one of the project itself. */
  async #repositoryOf(directory: string): Promise<string | undefined> {
    const { host, workspace } = this.#options;
    if (!isWithin(workspace, directory)) return undefined;
    this.#root ??= await repositoryRoot(this.#options);
    return await nestedRepository(directory, { host, workspace, root: this.#root });
  }

  /** Canonical path of a file that may be read; undefined if it is known, absent or refused. */
  async #accepted(wanted: Wanted): Promise<string | undefined> {
    const { origin, chain, mention } = wanted;
    const { host, refusal } = this.#options;
    const named = joinPath("/", wanted.path);
    const path = await host.fs.canonical(wanted.path).catch(() => named);
    if (chain.includes(path)) {
      const [first = ""] = chain.slice(chain.indexOf(path));
      this.#report(wanted, {
        message: `${path} is imported by itself, through ${chain.length > 1 ? (chain.at(-1) ?? first) : first}.`,
        hint: "Remove one of the imports; the file is used once.",
      });
      return undefined;
    }
    const before = [...this.#known, ...this.#files].filter((file) => file.path === path);
    if (before.some((file) => this.#isAsGood(file, wanted))) return undefined;
    if (chain.length > maxImportDepth) {
      this.#report(wanted, {
        message: `${path} is not imported: imports are followed ${maxImportDepth} levels deep.`,
        hint: "Import it further up.",
      });
      return undefined;
    }
    // A file that is optional, and what may not be a file, is refused only if it exists.
    const isMeant = mention !== undefined && looksLikeFile(mention.path);
    if (!isMeant && !(await pathExists(this.#options.host.fs, path))) return undefined;
    const { repository } = wanted.standing;
    if (repository !== undefined && !isWithin(repository, path)) {
      this.#report(wanted, {
        message: `${path} is outside ${repository}, a repository of its own that names it, so it is not read.`,
        hint: "Import the file from instructions of the project if it should apply.",
      });
      return undefined;
    }
    if (!this.#mayReach(path, wanted)) {
      this.#report(wanted, {
        message: `${path} is outside the workspace, so it is not read.`,
        hint: "Move the file into the workspace, or import it from ~/.haft/AGENTS.md.",
      });
      return undefined;
    }
    const reason = mayHoldSecrets.test(path)
      ? `${path} may hold secrets.`
      : refusal({ path, named, isOfUser: origin === "user" });
    if (reason !== undefined) {
      this.#report(wanted, {
        message: `${path} is left out. ${reason}`,
        hint: "Put what the model should know in a file that it may read.",
      });
      return undefined;
    }
    if (origin !== "directory" || mention !== undefined) return path;
    const foreign = await this.#foreignDirectory([wanted.directory, parentPath(path)]);
    if (foreign === undefined) return path;
    this.#report(wanted, {
      message: `${path} is left out: ${foreign} is not a part of the project that people write.`,
      hint: "Import the file from instructions of the project if it should apply.",
    });
    return undefined;
  }

  /** Whether a file may be read at its place; rules are another question. */
  #mayReach(path: string, { directory, origin, chain, mention }: Wanted): boolean {
    const { roots, home, trusted, isRecorded } = this.#options;
    if ([...roots, directory].some((root) => isWithin(root, path))) return true;
    const importer = chain.at(-1);
    if (mention === undefined || importer === undefined) return origin === "user";
    if (origin === "user") {
      // A file that the user imports is not the user's own by that: it may be one of a project.
      const own = [`${home}/.haft`, `${home}/.claude`];
      return chain.length === 1 || own.some((folder) => isWithin(folder, importer));
    }
    const hash = this.#hashes.get(importer);
    return trusted && hash !== undefined && isRecorded(importer, hash);
  }

  /** The first directory on the way to these that holds dependencies, or that git ignores. */
  async #foreignDirectory(directories: readonly string[]): Promise<string | undefined> {
    const { workspace, host } = this.#options;
    for (const each of new Set(directories)) {
      const below = directoriesBelow(workspace, each);
      for (const at of below) {
        if (dependencyDirectories.has(baseName(at).toLowerCase())) return at;
        // Files for this program are often ignored, as CLAUDE.local.md is.
        if (at === each && baseName(at) === ".claude") continue;
        if (!(await isVisible(at, host))) return at;
      }
    }
    return undefined;
  }

  async #textOf(path: string, wanted: Wanted): Promise<string | undefined> {
    try {
      const { fs } = this.#options.host;
      const { bytes, hash } = await fs.readFile(path, { maxBytes: maxFileBytes });
      this.#hashes.set(path, hash);
      return new TextDecoder().decode(bytes).replaceAll("\r\n", "\n");
    } catch (error) {
      const code = ToolError.is(error) ? error.code : undefined;
      const isAbsent = isNotFound(error);
      const { mention } = wanted;
      if (isAbsent && (mention === undefined || !looksLikeFile(mention.path))) return undefined;
      if (code === "IS_DIRECTORY" && mention !== undefined) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      this.#report(wanted, {
        message: isAbsent ? `There is no file ${path} to import.` : `It cannot be read. ${reason}`,
        hint: isAbsent
          ? "Correct the path, or write it in backticks if it is not an import."
          : `Instructions are text files of at most ${maxFileBytes / 1000} kB.`,
      });
      return undefined;
    }
  }

  #resolve(path: string, from: string): string {
    if (path.startsWith("~/")) return `${this.#options.home}${path.slice(1)}`;
    return isAbsolutePath(path) ? path : `${parentPath(from)}/${path}`;
  }

  #report(
    { path, chain, mention }: Wanted,
    what: { readonly message: string; readonly hint: string },
  ): void {
    const file = chain.at(-1) ?? path;
    const line = mention?.line;
    this.#problems.push({
      severity: "warning",
      ...what,
      file,
      ...(line === undefined ? {} : { line }),
    });
  }
}
