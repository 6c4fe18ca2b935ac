import { ToolError, type Host, type ProcessExit } from "../../core/index.ts";
import {
  createPackage,
  invalidPackage,
  packageLimits,
  tooManyBytes,
  tooManyFiles,
  type Package,
  type PackageFile,
} from "../packages/package.ts";

/** A repository to read files from. */
export interface RepositorySource {
  readonly url: string;
  /** Branch, tag or commit. Default: the default branch. */
  readonly ref?: string;
}

export interface ReadRepositoryOptions {
  readonly host: Pick<Host, "fs" | "proc">;
  /** Directory for the download, which is removed afterwards. */
  readonly directory: string;
  readonly newId: () => string;
  readonly signal?: AbortSignal | undefined;
}

/** Settings that keep git from starting anything a repository or a template names. */
const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.alternateRefsCommand=true",
  "fetch.recurseSubmodules=false",
  "protocol.ext.allow=never",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

const keptVariables = ["HOME", "PATH", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK", "LC_*", "LANG"];

const limits = { timeoutMs: 300_000, maxOutputBytes: packageLimits.bytes + 2_000_000 };

/**
 * Reads the files of a commit. Nothing is checked out: git runs no hook and no filter, and fetches no submodule. Throws
 * UNAVAILABLE without git, COMMAND_FAILED if the repository cannot be read, INVALID_INPUT for what no package holds.
 */
export async function readRepository(
  { url, ref = "HEAD" }: RepositorySource,
  options: ReadRepositoryOptions,
): Promise<Package> {
  const { host, directory } = options;
  if (!isRepositoryUrl(url)) throw invalidPackage(`${JSON.stringify(url)} is not a repository.`);
  if (!/^[\w][\w./-]*$/u.test(ref) || ref.includes("..")) {
    throw invalidPackage(`${JSON.stringify(ref)} is not a branch, tag or commit.`);
  }
  await host.fs.mkdir(directory, { mode: 0o700 });
  try {
    const git = async (words: readonly string[], input?: string): Promise<Uint8Array> =>
      await runGit({ words, input }, options);
    await git(["init", "--quiet", "--bare", "--template="]);
    await git(["fetch", "--quiet", "--depth=1", "--no-tags", "--", url, ref]);
    const listed = await git(["ls-tree", "-r", "-z", "-l", "--full-tree", "FETCH_HEAD"]);
    const entries = entriesOf(new TextDecoder().decode(listed));
    const input = entries.map(({ object }) => `${object}\n`).join("");
    const contents =
      entries.length === 0 ? new Uint8Array() : await git(["cat-file", "--batch"], input);
    return createPackage(filesOf(entries, contents));
  } finally {
    await host.fs.remove(directory, { recursive: true }).catch(() => undefined);
  }
}

/** Whether a text is an address that git can read without starting a program that the address names. */
export function isRepositoryUrl(url: string): boolean {
  if (/^(?:https|ssh|file):\/\/[^\s-]\S*$/u.test(url)) return true;
  return /^[\w.-]+@[\w][\w.-]*:[^\s-]\S*$/u.test(url);
}

interface TreeEntry {
  readonly path: string;
  readonly object: string;
  readonly size: number;
  readonly isExecutable: boolean;
}

function entriesOf(listed: string): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  let bytes = 0;
  for (const line of listed.split("\0")) {
    if (line === "") continue;
    const match = /^(\d{6}) (\w+) ([0-9a-f]+) +(\d+|-)\t([^]+)$/u.exec(line);
    const [, mode = "", , object = "", size = "", path = ""] = match ?? [];
    if (mode === "120000") throw invalidPackage(`${JSON.stringify(path)} is a link, not a file.`);
    if (mode === "160000") throw invalidPackage(`${JSON.stringify(path)} is another repository.`);
    if (mode !== "100644" && mode !== "100755" && mode !== "100664") {
      throw invalidPackage(`${JSON.stringify(line.slice(0, 120))} is not a file.`);
    }
    bytes += Number(size);
    if (bytes > packageLimits.bytes) throw tooManyBytes();
    if (entries.length === packageLimits.files) throw tooManyFiles();
    entries.push({ path, object, size: Number(size), isExecutable: mode === "100755" });
  }
  return entries;
}

/** Cuts the output of `cat-file --batch`: for each object a line with its size, its content, and a line feed. */
function filesOf(entries: readonly TreeEntry[], contents: Uint8Array): readonly PackageFile[] {
  let at = 0;
  return entries.map(({ path, object, size, isExecutable }) => {
    const start = contents.indexOf(0x0a, at) + 1;
    const head = new TextDecoder().decode(contents.subarray(at, start));
    if (start === 0 || head !== `${object} blob ${size}\n`) {
      throw invalidPackage(`The content of ${JSON.stringify(path)} could not be read.`);
    }
    at = start + size + 1;
    return { path, bytes: contents.slice(start, start + size), isExecutable };
  });
}

/** Output of a git command that must succeed. */
async function runGit(
  { words, input }: { readonly words: readonly string[]; readonly input: string | undefined },
  { host: { proc }, directory, newId, signal }: ReadRepositoryOptions,
): Promise<Uint8Array> {
  const id = newId();
  const spec = {
    id,
    argv: ["git", ...settings, ...words],
    cwd: directory,
    keepEnv: keptVariables,
    env: {
      GIT_TERMINAL_PROMPT: "0",
      GIT_NO_LAZY_FETCH: "1",
      GIT_LFS_SKIP_SMUDGE: "1",
      GIT_ALLOW_PROTOCOL: "https:ssh:file",
      GIT_DIR: directory,
    },
    stdin: input === undefined ? "none" : "pipe",
    limits,
  } as const;
  try {
    await proc.start(spec, signal === undefined ? {} : { signal });
  } catch (cause) {
    if (!ToolError.is(cause) || cause.code !== "NOT_FOUND") throw cause;
    const hint = "Install git, or name a directory.";
    throw new ToolError("UNAVAILABLE", "A repository needs git, which is not installed here.", {
      hint,
      cause,
    });
  }
  // Not awaited: git may read its input only as fast as its output is read. It fails if git ends early, which is reported.
  if (input !== undefined) void feed(proc, id, input);
  const out: Uint8Array[] = [];
  let err = "";
  let exit: ProcessExit = { code: null, signal: null, leftRunning: [] };
  for await (const chunk of proc.output(id, 0)) {
    if ("exit" in chunk) exit = chunk.exit;
    else if (chunk.stream === "stdout") out.push(chunk.bytes);
    else err = `${err}${new TextDecoder().decode(chunk.bytes)}`.slice(0, 4000);
  }
  if (exit.code === 0) return Buffer.concat(out);
  const [reason = "it was ended"] = err.split("\n").filter((line) => line.trim() !== "");
  throw new ToolError("COMMAND_FAILED", `git could not read the repository: ${reason}`, {
    hint: "Check its address and your access to it.",
  });
}

async function feed(proc: Host["proc"], id: string, input: string): Promise<void> {
  try {
    await proc.write(id, new TextEncoder().encode(input));
    await proc.write(id, "eof");
  } catch {
    // It ended before it read everything.
  }
}
