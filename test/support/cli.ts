import { createHash } from "node:crypto";
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { dispatch } from "../../src/cli/main.ts";
import {
  fakeTerminal,
  type FakeTerminal,
  type FakeTerminalOptions,
} from "../fakes/fake-terminal.ts";

/** A folder of its own with a workspace in it and room for the data of the command. */
export interface CliWorld extends AsyncDisposable {
  readonly folder: string;
  readonly workspace: string;
  /** Options that every command line here needs so that it works in this world alone. */
  readonly places: readonly string[];
}

export async function cliWorld(files: Readonly<Record<string, string>> = {}): Promise<CliWorld> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-cli-")));
  const workspace = path.join(folder, "workspace");
  await mkdir(workspace);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
    await writeFile(path.join(workspace, name), text);
  }
  return {
    folder,
    workspace,
    places: ["-C", workspace, "--data-dir", path.join(folder, "data"), "--no-settings"],
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true, force: true }),
  };
}

/** A world whose settings files are read. */
export async function settingsWorld(
  files: Readonly<Record<string, string>> = {},
): Promise<CliWorld> {
  const world = await cliWorld(files);
  return {
    ...world,
    places: world.places.filter((word) => word !== "--no-settings"),
    [Symbol.asyncDispose]: async () => await world[Symbol.asyncDispose](),
  };
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly terminal: FakeTerminal;
}

/** Runs a command line in this process, in a world where one is given. */
export async function haft(
  words: readonly string[],
  { world, ...options }: FakeTerminalOptions & { readonly world?: CliWorld } = {},
): Promise<Ended> {
  const terminal = fakeTerminal({
    ...(world === undefined ? {} : { cwd: world.workspace }),
    ...options,
  });
  const code = await dispatch(
    [...words.slice(0, 1), ...(world?.places ?? []), ...words.slice(1)],
    terminal,
  );
  return { code, out: terminal.output(), err: terminal.errors(), terminal };
}

/** Options of `haft run` for a scripted model with these turns. */
export async function scripted(
  world: CliWorld,
  turns: readonly object[],
): Promise<readonly string[]> {
  const file = path.join(world.folder, "script.json");
  await writeFile(file, JSON.stringify({ format: 1, name: "test", turns }));
  return ["--model", `script:${file}`];
}

/** A turn of a script with one call. */
export function callOf(name: string, input: object): object {
  return { calls: [{ name, input }] };
}

/** A name for everything below a folder: paths, contents, links. */
export async function treeHash(folder: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => path.join(entry.parentPath, entry.name));
  for (const name of names.toSorted()) {
    const entry = entries.find((each) => path.join(each.parentPath, each.name) === name);
    hash.update(`${name}\n`);
    if (entry?.isSymbolicLink() === true) hash.update(await readlink(name));
    else if (entry?.isFile() === true) hash.update(await readFile(name));
  }
  return hash.digest("hex");
}
