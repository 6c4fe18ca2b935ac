/**
 * Which modules the bundler joins, beyond those that only one file loads.
 *
 * Opening a file takes longer than reading a few more lines of it, so a start that people wait for should open few. A
 * start is the modules that it loads at once and those behind the `import()` that it takes; modules that the same
 * starts load are one file. A start thus loads nothing that it does not need, and as a module's starts are also those
 * of what it imports, the files cannot import each other in a circle. Small files are joined although some start then
 * loads a little that it does not need, unless that would make a circle.
 */
import path from "node:path";

/** A file as the bundler writes it. */
interface Chunk {
  readonly fileName: string;
  readonly facadeModuleId: string | null;
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
  readonly code: string;
}

/** Ungrouped files that become one. */
interface Group {
  /** Numbers of the starts that load it. */
  readonly starts: ReadonlySet<number>;
  readonly files: ReadonlySet<string>;
  readonly size: number;
}

/** Characters that load in the time that opening one more file takes. */
const charsOfOpening = 6000;
/** Characters of a group up to which it is joined to another one. */
const maxSmallChars = 3000;

/** Modules of a start below `src`, each an entry or behind an `import()`. */
type Start = readonly string[];

/** A server over standard streams, up to its list of tools. */
const server: Start = ["cli/main", "cli/verbs/mcp/mcp"];

/** An open toolkit. */
const opened: Start = [
  "cli/main",
  "host/index",
  "kit/mcp/kit-servers",
  "kit/options/check-options",
  "kit/workspace-context",
  "redact/index",
  "text/paths/secret-places",
];

const toolList: Start = [...opened, "cli/verbs/tools"];

/** First call in an empty project. */
const firstCall: Start = [
  ...opened,
  "cli/verbs/call",
  "kit/call-engine",
  "schema/publish/published-schema",
  "schema/validate/validate-input",
  "session/events/event-log",
];

/** The same where the project has hooks and plugins. */
const firstCallOfProject: Start = [
  ...firstCall,
  "kit/hooks/open-hooks",
  "workspace/hooks/load-hooks",
  "workspace/hooks/read-hooks",
  "workspace/packages/package",
  "workspace/plugins/load-plugins",
  "workspace/settings/settings-text",
];

const commandStarts: readonly Start[] = [server, toolList, firstCall, firstCallOfProject];

/**
 * Entries that are of use with a toolkit only, which loads most of what they need: they count as one start, because their
 * files would otherwise be as many small ones as there are combinations of them.
 */
const withToolkit: Start = [
  "entries/agent",
  "entries/ai-sdk",
  "entries/host",
  "entries/http",
  "entries/interop",
  "entries/telemetry",
  "entries/testing",
];

/** Names the file of a module by the starts that load it; nothing for a module that none of them loads. */
export function groupByStarts(
  entries: readonly string[],
  ungrouped: readonly Chunk[],
): (id: string) => string | undefined {
  const alone = entries.filter((entry) => !withToolkit.includes(entry)).map((entry) => [entry]);
  const starts = [...commandStarts, withToolkit, ...alone];
  const ofCommand = [...commandStarts.keys()].join();
  const loaded = starts.map((roots) => filesOf(roots, ungrouped));
  const ofEntries = new Set(entries.map((entry) => path.resolve(`src/${entry}.ts`)));
  const groups = new Map<string, Group>();
  for (const { fileName, code } of ungrouped) {
    const own = loaded.flatMap((files, index) => (files.has(fileName) ? [index] : []));
    if (own.length === 0) continue;
    const known = groups.get(own.join());
    groups.set(own.join(), {
      starts: new Set(own),
      files: new Set([...(known?.files ?? []), fileName]),
      size: (known?.size ?? 0) + code.length,
    });
  }
  const names = new Map<string, string>();
  const byFile = new Map(ungrouped.map((chunk) => [chunk.fileName, chunk]));
  const isCommand = (start: number): boolean => start >= entries.length;
  for (const group of joinSmall([...groups.values()], { byFile, isCommand })) {
    const own = [...group.starts].toSorted((one, other) => one - other);
    const name = own.join() === ofCommand ? "command" : `start-${own.join("-")}`;
    for (const file of group.files) {
      for (const id of byFile.get(file)?.moduleIds ?? []) names.set(id, name);
    }
  }
  return (id) => (ofEntries.has(id) ? undefined : names.get(id));
}

interface JoinParts {
  readonly byFile: ReadonlyMap<string, Chunk>;
  /** Whether a start is one of the command. */
  readonly isCommand: (start: number) => boolean;
}

/** Layers of which a start of the command may load a module without need: they run no calls. */
const lightLayers = ["cli", "core", "text"].map((layer) => path.resolve("src", layer) + path.sep);

/** Whether no start of the command would load a module of another layer without need. */
function mayJoin(one: Group, other: Group, { byFile, isCommand }: JoinParts): boolean {
  const isLight = ({ files }: Group): boolean =>
    [...files]
      .flatMap((file) => byFile.get(file)?.moduleIds ?? [])
      .every((id) => lightLayers.some((layer) => id.startsWith(layer)));
  const isNeedless = (loaded: Group, by: Group): boolean =>
    [...by.starts].some((start) => isCommand(start) && !loaded.starts.has(start));
  return (isLight(one) || !isNeedless(one, other)) && (isLight(other) || !isNeedless(other, one));
}

/** Joins small groups to others where the starts then load less, counting what they load without need. */
function joinSmall(groups: readonly Group[], parts: JoinParts): readonly Group[] {
  const { byFile } = parts;
  const graph = importsOf(groups, byFile);
  const now = loadedChars(groups, graph);
  const small = groups
    .filter(({ size }) => size <= maxSmallChars)
    .toSorted((one, other) => one.size - other.size);
  for (const group of small) {
    const best = groups
      .filter((other) => other !== group && mayJoin(group, other, parts))
      .map((other) => {
        const joined: Group = {
          starts: new Set([...group.starts, ...other.starts]),
          files: new Set([...group.files, ...other.files]),
          size: group.size + other.size,
        };
        return [...groups.filter((each) => each !== group && each !== other), joined];
      })
      .map((all) => ({ all, imports: importsOf(all, byFile) }))
      .filter(({ imports }) => !hasCircle(imports))
      .map(({ all, imports }) => ({ all, chars: loadedChars(all, imports) }))
      .toSorted((one, other) => one.chars - other.chars)[0];
    if (best !== undefined && best.chars < now) return joinSmall(best.all, parts);
  }
  return groups;
}

type Imports = ReadonlyMap<Group, ReadonlySet<Group>>;

/** Groups that each group imports. */
function importsOf(groups: readonly Group[], byFile: ReadonlyMap<string, Chunk>): Imports {
  const groupOf = new Map(groups.flatMap((group) => [...group.files].map((file) => [file, group])));
  return new Map(
    groups.map((group) => {
      const files = [...group.files].flatMap((file) => byFile.get(file)?.imports ?? []);
      const imported = files.flatMap((file) => groupOf.get(file) ?? []);
      return [group, new Set(imported.filter((each) => each !== group))];
    }),
  );
}

/** Characters that all starts load, with what their groups import; opening a file counts as some. */
function loadedChars(groups: readonly Group[], imports: Imports): number {
  const all = new Set(groups.flatMap(({ starts }) => [...starts]));
  let chars = 0;
  for (const start of all) {
    const loaded = new Set(groups.filter(({ starts }) => starts.has(start)));
    for (const group of loaded) for (const each of imports.get(group) ?? []) loaded.add(each);
    for (const { size } of loaded) chars += size + charsOfOpening;
  }
  return chars;
}

/** Whether groups import each other in a circle. */
function hasCircle(imports: Imports): boolean {
  const left = new Map(imports);
  for (;;) {
    const leaves = [...left].filter(([, needed]) => [...needed].every((each) => !left.has(each)));
    if (leaves.length === 0) return left.size > 0;
    for (const [leaf] of leaves) left.delete(leaf);
  }
}

/** The files that hold these modules, and those that they load at once. */
function filesOf(roots: readonly string[], chunks: readonly Chunk[]): ReadonlySet<string> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set<string>();
  const add = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const each of byFile.get(file)?.imports ?? []) add(each);
  };
  for (const root of roots) {
    const id = path.resolve(`src/${root}.ts`);
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === id);
    if (chunk === undefined)
      throw new Error(
        `src/${root}.ts has no file of its own, because nothing loads it with import().`,
      );
    add(chunk.fileName);
  }
  return files;
}

/**
 * Lets each `import()` of a file that only passes on names of another one load that one instead, and removes these files
 * from the codes by file. Returns their names.
 */
export function withoutPassing(codes: Map<string, string>): ReadonlySet<string> {
  const passing = new Map<string, { readonly from: string; readonly names: string }>();
  for (const [file, code] of codes) {
    const [, names, from] =
      /^export \{ ([^}]*) \} from "(\.[^"]+)";\s*(?:\/\/#.*)?$/u.exec(code) ?? [];
    if (names === undefined || from === undefined || !file.includes("chunks")) continue;
    const pairs = names.split(", ").map((name) => name.split(" as "));
    const read = pairs.map(([inside = "", outside = inside]) => `${outside}: part.${inside}`);
    passing.set(file, { from: path.join(path.dirname(file), from), names: read.join(", ") });
  }
  for (const [file, code] of codes) {
    const changed = code.replaceAll(/\bimport\("(\.[^"]+)"\)/gu, (found, name: string) => {
      const passed = passing.get(path.join(path.dirname(file), name));
      if (passed === undefined) return found;
      return `import("${specifierOf(passed.from, file)}").then((part) => ({ ${passed.names} }))`;
    });
    codes.set(file, changed);
  }
  const rest = [...codes].filter(([file]) => !passing.has(file)).map(([, code]) => code);
  const removed = [...passing.keys()].filter(
    (file) => !rest.some((code) => code.includes(`/${path.basename(file)}"`)),
  );
  for (const file of removed) codes.delete(file);
  return new Set(removed);
}

/** Path with which one file imports another. */
export function specifierOf(file: string, from: string): string {
  const target = path.relative(path.dirname(from), file).replaceAll(path.sep, "/");
  return target.startsWith(".") ? target : `./${target}`;
}
