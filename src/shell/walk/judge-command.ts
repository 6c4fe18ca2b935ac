import type { Span } from "../../core/index.ts";
import {
  addClass,
  addConnect,
  addExecute,
  addFinding,
  addRead,
  addUnknown,
  addWrite,
  type Started,
} from "./collector.ts";
import { isPlainAssignment } from "../words/environment.ts";
import { commandFloor, looseFloor } from "./floor.ts";
import { maxCommands } from "../parse/bash-parser.ts";
import type { TextOrigin } from "../parse/bash-reading.ts";
import { noteHosts, takesAddresses } from "../programs/connecting.ts";
import { downloaders } from "../programs/network.ts";
import { notePlaces } from "../programs/places.ts";
import { noteFed, noteStarts } from "../programs/starts.ts";
import { noteUserSettings } from "../programs/user-settings.ts";
import { findProgram, isBuiltin } from "../programs/index.ts";
import type { Change, Program, RunOptions, Site } from "./invocation-context.ts";
import type { Analyst, Call, Frame } from "./analysis-state.ts";
import { followed, sameFolders, type Folders } from "./current-directories.ts";
import {
  namedPaths,
  showWord,
  type Argument,
  type DynamicWord,
  type Standing,
} from "../words/words.ts";
import { writtenPatterns } from "../words/written-patterns.ts";

const systemFolder = /^\/(?:usr\/(?:local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\//u;

/** Judges one command; returns the directories in which the shell may be if it succeeds. */
export function judgeCall(analyst: Analyst, call: Call): Folders {
  const { collector } = analyst;
  const { argv, frame, span } = call;
  const [first, ...args] = argv;
  if (first === undefined) return call.folders;
  analyst.whereabouts.add(call.folders);
  const written = typeof first === "string" ? first : undefined;
  const name = written?.slice(written.lastIndexOf("/") + 1);
  const invocation = { ...call, name, context: frame.context, via: frame.via };
  collector.invocations.push({
    name,
    argv,
    assigns: call.assigns,
    redirects: call.redirects,
    context: frame.context,
    span,
    via: frame.via,
    folders: call.folders,
  });
  const { cwd: start, home, workspace } = analyst;
  const place = { folders: call.folders, cwd: start, workspace };
  const started = addExecute(collector, invocation, place);
  const standing: Standing = { folders: call.folders, home, start };
  if (collector.invocations.length > maxCommands || frame.depth > 16) {
    addUnknown(collector, "there are too many commands inside commands", {
      origin: name ?? "bash",
      span,
      by: span,
    });
    started.open();
    return call.folders;
  }
  if (name === undefined || written === undefined || name === "") {
    const floor = looseFloor(args);
    if (floor !== undefined) addFinding(collector, "floor", { text: floor, span });
    addUnknown(collector, "which program runs is not known before it does", {
      origin: "bash",
      span,
      by: span,
    });
    addClass(collector, "general");
    started.open();
    return call.folders;
  }
  const floor = commandFloor({ name, args, standing, cwd: analyst.cwd });
  if (floor !== undefined) addFinding(collector, "floor", { text: floor, span });
  if (frame.elsewhere) return call.folders;
  const known = call.direct ? frame.functions.get(written) : undefined;
  const site = makeSite(analyst, call, { name, args, standing, started });
  for (const { name: variable, value } of call.assigns) {
    // For these builtins IFS sets how lines are split, and it is restored when they end.
    const cuts = variable === "IFS" && /^(?:read|mapfile|readarray)$/u.test(name);
    if (!cuts && !isPlainAssignment(variable, value)) {
      site.unknown(`it sets ${variable}, which ${name} may obey`);
      if (takesAddresses.has(name)) site.anyHost();
    }
  }
  if (known !== undefined) {
    const folders = known.call(call.folders, frame);
    if (known.certain) return folders;
  }
  noteHosts(site);
  noteStarts(site);
  noteUserSettings(site);
  const program = programOf(written, name, call);
  if (program === undefined) {
    site.classify("general");
    site.open();
    judgeAsShell(site, call);
  } else program(site);
  noteDownload(analyst, call, name);
  if (started.isOpen() && name !== "git") {
    noteFed(site);
    notePlaces(site);
  }
  return site.moved();
}

function programOf(written: string, name: string, call: Call): Program | undefined {
  if (!written.includes("/")) {
    // Only the shell has these builtins; `env cd` searches for an executable file.
    if (isBuiltin(name) && !call.direct && !alsoFile.has(name)) return undefined;
    return findProgram(name);
  }
  if (!systemFolder.test(written) || written.includes("/../")) return undefined;
  return isBuiltin(name) && !alsoFile.has(name) ? undefined : findProgram(name);
}

/**
 * Judges a builtin started by a launcher. The launcher searches for a file of this name, and some system may have one
 * that acts like the builtin, so `env eval …` is never judged milder than `eval …`.
 */
function judgeAsShell(site: Site, { direct }: Call): void {
  if (site.name === "!") site.run(site.args);
  else if (!direct && isBuiltin(site.name)) findProgram(site.name)?.(site);
}

/** Builtins that also exist as files with the same behavior. */
const alsoFile = new Set(["echo", "printf", "test", "[", "true", "false", "pwd", "kill"]);

const feedable = /^(?:(?:ba|da|z|k|mk|a|rba)?sh|python[\d.]*|perl|ruby|node|php|source|\.|eval)$/u;

/** Whether a shell with these arguments reads its script from standard input. */
function isFed(args: readonly Argument[]): boolean {
  return args.every((word) => typeof word === "string" && /^-[esux]*$/u.test(word));
}

/** Reports a script that comes directly from the network, which is a separate risk. */
function noteDownload(analyst: Analyst, call: Call, name: string): void {
  if (!feedable.test(name)) return;
  const from = [...call.frame.fed, ...call.inner].find((feeder) => downloaders.has(feeder));
  if (from === undefined) return;
  const text = `${name} runs what ${from} downloads, before anybody has seen it`;
  addFinding(analyst.collector, "high-risk", { text, span: call.span });
  addUnknown(analyst.collector, text, { origin: name, span: call.span, by: call.span });
}

interface Judged {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly standing: Standing;
  readonly started: Started;
}

interface Writing {
  readonly scope: "file" | "tree";
  readonly through: string | undefined;
}

interface MovingSite extends Site {
  readonly moved: () => Folders;
}

/** Creates the `Site` of a command; everything that a row reports to it goes to the collector. */
function makeSite(analyst: Analyst, call: Call, judged: Judged): MovingSite {
  const { collector } = analyst;
  const { span, frame } = call;
  const { name, args, standing, started } = judged;
  const state: {
    folders: Folders;
    own: { to: Parameters<Site["classify"]>[0] } | undefined;
    namesHosts: boolean;
  } = { folders: call.folders, own: undefined, namesHosts: false };
  // A long value may be named thousands of times.
  const reads: { file?: Set<string>; tree?: Set<string> } = {};
  const unknown = (because: string, through?: string): void => {
    started.open();
    addUnknown(collector, because, { origin: name, span, by: span, through });
  };
  const write = (word: Argument, change: Change, how: Writing): void => {
    const named = namedPaths(word, standing);
    if (!named.known) {
      unknown(`which file ${showWord(word)} is is unknown before it is written`, how.through);
      return;
    }
    const scope = named.scope === "tree" ? "tree" : how.scope;
    const isPart = typeof word !== "string" && named.scope === "tree" && namesPart(word, change);
    const patterns = isPart ? writtenPatterns(word, standing) : [undefined];
    for (const path of named.paths) {
      for (const pattern of patterns) {
        addWrite(collector, path, {
          change: isPart && change === "delete" ? "any" : change,
          scope,
          part: pattern === undefined ? undefined : { pattern, change },
          span,
          by: span,
          through: how.through,
        });
      }
    }
  };
  return {
    name,
    args,
    span,
    standing,
    piped: frame.piped,
    names: frame.names,
    redirects: call.redirects,
    isLaunched: frame.via.length > 0,
    fedText: frame.fedText,
    gitConfig: analyst.gitConfig,
    gitFolders: analyst.gitFolders,
    unknown,
    worksIn: started.worksIn,
    anyHost: () => started.hosts("unknown"),
    namesHosts: () => (state.namesHosts = true),
    read(word, scope = "file") {
      if (typeof word === "string") {
        const before = (reads[scope] ??= new Set());
        if (before.has(word)) return;
        before.add(word);
      }
      const named = namedPaths(word, standing);
      const wide = named.scope === "tree" ? "tree" : scope;
      for (const path of named.paths) addRead(collector, path, { scope: wide, span, by: span });
    },
    readNamed() {
      addRead(collector, "/", { scope: "tree", span, by: span });
    },
    write(word, change, scope = "file") {
      write(word, change, { scope, through: undefined });
    },
    writeThrough(through, word, change) {
      write(word, change, { scope: "file", through });
    },
    connect(host, port, asks = false) {
      const at = { span, by: span, asks };
      addConnect(collector, host, port === undefined ? at : { port, ...at });
    },
    open(because) {
      unknown(because ?? `${name} can run arbitrary code`);
      if (frame.fedText !== undefined && isFed(args) && feedable.test(name)) {
        run(analyst, call, { script: frame.fedText, options: { via: `echo | ${name}` } });
      }
    },
    risk(because) {
      unknown(because);
      addFinding(collector, "high-risk", { text: because, span });
    },
    filters(as) {
      collector.filterClass ??= as;
    },
    classify(to) {
      state.own = { to };
    },
    run(argv, options = {}) {
      const folders = run(analyst, call, { argv, options });
      // Only these two run in the shell itself, so only they change its directory.
      if (name === "command" || name === "builtin") state.folders = folders;
    },
    script(text, options = {}) {
      if (typeof text !== "string") {
        unknown("the text it runs is not known before it does");
        return;
      }
      const folders = run(analyst, call, { script: text, options });
      if (name === "eval") state.folders = folders;
      if (name !== "trap") return;
      if (!sameFolders(folders, standing.folders) && !isTrappedAtEnd(args)) {
        unknown("what is trapped changes the directory that later commands run in");
      }
      analyst.trapped.push((everywhere) => {
        run(analyst, { ...call, folders: everywhere }, { script: text, options });
      });
    },
    moveTo(word) {
      state.folders = word === undefined ? undefined : movedTo(word, { analyst, standing });
    },
    moved() {
      addClass(collector, state.own?.to);
      if (state.namesHosts && started.isOpen()) started.hosts("named");
      return state.folders;
    },
  };
}

/** Whether a trap handles only the exit, after which no command of the text runs. */
function isTrappedAtEnd(args: readonly Argument[]): boolean {
  const words = args[0] === "--" ? args.slice(2) : args.slice(1);
  return words.every((word) => word === "EXIT" || word === "0");
}

/** Whether only a part of a directory is changed that a pattern names; a bare star deletes all of it. */
function namesPart(word: DynamicWord, change: Change): boolean {
  const [first] = word.pieces;
  if (typeof first === "object" && first.kind === "found") return false;
  return change !== "delete" || !/(?:^|\/)\*$/u.test(showWord(word));
}

function movedTo(
  word: Argument,
  { analyst, standing }: { analyst: Analyst; standing: Standing },
): Folders {
  if (word === "-" || (analyst.env?.["CDPATH"] ?? "") !== "") return undefined;
  const named = namedPaths(word, standing);
  // The shell resolves `..` lexically, even after links.
  const paths = named.paths.filter((path) => !/\/\.\.(?:\/|$)/u.test(path));
  return named.known && named.scope === "file" ? followed(paths) : undefined;
}

type Start = { readonly options: RunOptions } & (
  | { readonly argv: readonly Argument[]; readonly script?: never }
  | { readonly script: string; readonly argv?: never }
);

/** Judges a program that a launcher starts, in the launcher's context. */
function run(analyst: Analyst, call: Call, start: Start): Folders {
  const { options } = start;
  const name = showWord(call.argv[0] ?? "");
  const own = name.slice(name.lastIndexOf("/") + 1);
  const same = own === "eval" || own === "trap";
  const frame: Frame = {
    ...call.frame,
    via: [...call.frame.via, options.via ?? own],
    depth: call.frame.depth + 1,
    piped: options.input === "none" ? false : call.frame.piped,
    fedText: options.input === "none" ? undefined : call.frame.fedText,
    names: options.input === "none" ? undefined : call.frame.names,
    variables: undefined,
    elsewhere: call.frame.elsewhere || options.elsewhere === true,
    functions: same ? call.frame.functions : new Map(),
  };
  const folders = options.standing === undefined ? call.folders : options.standing.folders;
  if (start.script !== undefined) {
    const origin = originOf(start.script, analyst, call);
    return analyst.script(start.script, folders, { ...frame, origin });
  }
  const spans = wordSpans(start.argv, call);
  return judgeCall(analyst, {
    argv: start.argv,
    assigns: [],
    redirects: call.redirects,
    span: spanOver(spans) ?? call.span,
    spans,
    folders,
    frame,
    inner: call.inner,
    direct: own === "command" || own === "builtin" || own === "exec",
  });
}

/** Spans of the words that a launcher starts, which are part of its own arguments. */
function wordSpans(argv: readonly Argument[], call: Call): readonly Span[] {
  const first = call.argv.findIndex((word, index) => index > 0 && word === argv[0]);
  return first === -1 ? [] : call.spans.slice(first, first + argv.length);
}

function spanOver(spans: readonly Span[]): Span | undefined {
  const [first] = spans;
  const last = spans.at(-1);
  return first === undefined || last === undefined
    ? undefined
    : { start: first.start, end: Math.max(first.end, last.end) };
}

/** Origin of a script: its own position if it appears verbatim in quotes, otherwise the span of its word. */
function originOf(script: string, { input }: Analyst, call: Call): TextOrigin {
  const { origin } = call.frame;
  const index = call.argv.indexOf(script);
  const word = index === -1 ? undefined : call.spans[index];
  if (word === undefined) return { fixed: origin.fixed ?? call.span, offset: 0 };
  if (origin.fixed === undefined) {
    for (const quote of [0, 1]) {
      const start = word.start + quote;
      if (input.slice(start, word.end - quote) === script)
        return { fixed: undefined, offset: start };
    }
  }
  return { fixed: origin.fixed ?? word, offset: 0 };
}
