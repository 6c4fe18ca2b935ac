/**
 * Which modules the bundler joins, beyond those that only one file loads.
 *
 * Opening a file takes longer than reading a few more lines of it, so a start that people wait for should open few. A
 * start is the modules that it loads at once and those behind the `import()` that it takes; modules that the same
 * starts load are one file. A start of one entry thus loads nothing that it does not need, and as a module's starts are
 * also those of what it imports, the files cannot import each other in a circle.
 */
import path from "node:path";

/** A file as the bundler writes it. */
interface Chunk {
  readonly fileName: string;
  readonly facadeModuleId: string | null;
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
}

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
  const loaded = starts.map((roots) => modulesOf(roots, ungrouped));
  const ofEntries = new Set(entries.map((entry) => path.resolve(`src/${entry}.ts`)));
  return (id) => {
    if (ofEntries.has(id)) return undefined;
    const own = loaded.flatMap((modules, index) => (modules.has(id) ? [index] : []));
    if (own.length === 0) return undefined;
    return own.join() === ofCommand ? "command" : `start-${own.join("-")}`;
  };
}

/** The modules of the files that hold these, and of the files that those load at once. */
function modulesOf(roots: readonly string[], chunks: readonly Chunk[]): ReadonlySet<string> {
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
  return new Set([...files].flatMap((file) => byFile.get(file)?.moduleIds ?? []));
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
      const target = path.relative(path.dirname(file), passed.from).replaceAll(path.sep, "/");
      const near = target.startsWith(".") ? target : `./${target}`;
      return `import("${near}").then((part) => ({ ${passed.names} }))`;
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
