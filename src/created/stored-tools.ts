import { ToolError, type CreatedDefinition, type Host } from "../core/index.ts";
import { deepEqual, isNotFound, isRecord, pathExists } from "../text/index.ts";
import { readDefinition } from "./definition.ts";

/** Directory of created tools, below the workspace. */
export const createdDirectory = ".haft/tools";

/** Maximum bytes of one file of a tool. */
const maxFileBytes = 262_144;
/** Maximum number of tools of a workspace. */
const maxTools = 200;

/** A tool as its files define it. */
export interface StoredTool {
  /** Name of its directory. */
  readonly name: string;
  /** Undefined if the files are invalid. */
  readonly definition: CreatedDefinition | undefined;
  /** Why it cannot be used. */
  readonly fault?: ToolError;
  /** Content hash of each file that was read, by canonical path. */
  readonly hashes: ReadonlyMap<string, string>;
}

type Files = Pick<Host, "fs">;

/** Names of the directories that contain a tool; none if there are no created tools. */
export async function storedNames(workspace: string, { fs }: Files): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    for await (const { name, kind } of fs.list(`${workspace}/${createdDirectory}`)) {
      if (kind === "directory" && names.length < maxTools) names.push(name);
    }
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
  return names.toSorted();
}

/** Reads a tool from its directory. Never rejects because of what the files contain. */
export async function readStored(
  workspace: string,
  name: string,
  host: Files,
): Promise<StoredTool> {
  const hashes = new Map<string, string>();
  const directory = `${workspace}/${createdDirectory}/${name}`;
  const read = async (file: string): Promise<string> => {
    const path = `${directory}/${file}`;
    const { bytes, hash } = await host.fs.readFile(path, { maxBytes: maxFileBytes });
    hashes.set(path, hash);
    return new TextDecoder().decode(bytes);
  };
  return { name, ...(await readToolFiles(name, read)), hashes };
}

/** Reads the definition of a tool from its files. Never rejects because of what they contain. */
export async function readToolFiles(
  name: string,
  read: (file: string) => Promise<string>,
): Promise<Pick<StoredTool, "definition" | "fault">> {
  try {
    const manifest = jsonOf(await read("tool.json"), "tool.json");
    if (!isRecord(manifest)) throw invalid("tool.json is not an object.");
    const examples = jsonOf(await read("examples.json"), "examples.json");
    const isShell = manifest["language"] === "shell";
    const body = await read(isShell ? "run.sh" : "run.mjs");
    const definition = readDefinition({ ...manifest, body, examples });
    if (definition.name !== name) {
      throw invalid(`The tool in ${name} is called ${definition.name}; both must be the same.`);
    }
    return { definition };
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return { definition: undefined, fault: error };
  }
}

/** A file as it was written. */
interface WrittenFile {
  readonly path: string;
  /** Hash of the written content, whatever the file holds now. */
  readonly hash: string;
}

/** Paths of the files in which a tool is stored, with their texts. */
export function storedFiles(
  workspace: string,
  definition: CreatedDefinition,
): ReadonlyMap<string, string> {
  const { body, examples, version = 1, ...rest } = definition;
  const directory = `${workspace}/${createdDirectory}/${definition.name}`;
  return new Map([
    [`${directory}/tool.json`, jsonText({ version, ...rest })],
    [`${directory}/${definition.language === "shell" ? "run.sh" : "run.mjs"}`, body],
    [`${directory}/examples.json`, jsonText(examples)],
  ]);
}

/** Returns a file that storing a tool would overwrite and that is not part of the version before. */
export async function foreignFile(
  workspace: string,
  { definition, before }: { definition: CreatedDefinition; before: CreatedDefinition | undefined },
  host: Files,
): Promise<string | undefined> {
  const paths = [...storedFiles(workspace, definition).keys()];
  const exist = await Promise.all(paths.map(async (path) => await pathExists(host.fs, path)));
  const found = paths.find((_path, index) => exist[index]);
  if (found === undefined || before === undefined) return found;
  const stored = await readStored(workspace, definition.name, host);
  if (stored.definition === undefined) return found;
  return deepEqual(plain(stored.definition), plain(before)) ? undefined : found;
}

/** A definition as its files say it. */
function plain({ version = 1, ...rest }: CreatedDefinition): unknown {
  return JSON.parse(JSON.stringify({ version, ...rest }));
}

/** Writes the files of a tool and returns their paths. */
export async function writeStored(
  workspace: string,
  definition: CreatedDefinition,
  { fs }: Files,
): Promise<readonly WrittenFile[]> {
  const directory = `${workspace}/${createdDirectory}/${definition.name}`;
  const isPlain = async (): Promise<boolean> => (await fs.canonical(directory)) === directory;
  // Nothing is created where a link leads, and a link that appears meanwhile is not followed either.
  if (await isPlain()) await fs.mkdir(directory);
  if (!(await isPlain())) {
    throw new ToolError("PATH_CHANGED", `${directory} is reached by a link.`, {
      hint: "Replace the link by a directory.",
      data: { path: directory },
    });
  }
  const written: WrittenFile[] = [];
  for (const [path, text] of storedFiles(workspace, definition)) {
    const { hash } = await fs.writeAtomic(path, new TextEncoder().encode(text));
    written.push({ path, hash });
  }
  return written;
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(`${file} is not JSON.`, cause);
  }
}

function invalid(message: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", message, {
    hint: "docs/created-tools.md describes the files.",
    ...(cause === undefined ? {} : { cause }),
  });
}
