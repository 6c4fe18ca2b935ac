import { anyCommand } from "../match/command-pattern.ts";
import { readCommandPattern } from "../match/read-command-pattern.ts";
import { families, primaryParameters, type Family } from "./tool-families.ts";
import { compileHostPattern } from "../match/host-pattern.ts";
import { parameterForm } from "./parse-rule.ts";
import { compilePathPattern, type PathAnchors } from "../match/path-pattern.ts";
import type { Matcher, RuleList } from "./rule.ts";
import { anything, compileWildcard, matchesWildcard, type Wildcard } from "../match/wildcard.ts";

/** Meaning of a rule's text: its matchers, or why it cannot be parsed and the widest matchers it may have. */
export interface Reading {
  readonly matchers: readonly Matcher[];
  readonly error?: string;
  readonly hint?: string;
  readonly warning?: string;
}

export interface NamedSpec {
  readonly tool: string;
  readonly spec: string | undefined;
}

export interface ReadOptions {
  readonly list: RuleList;
  readonly anchors: PathAnchors;
  readonly isCeiling?: boolean | undefined;
}

/** Parses one rule whose tool name is resolved. */
export function readMatchers(rule: NamedSpec, options: ReadOptions): Reading {
  const { tool, spec } = rule;
  if (spec === undefined) return readBare(tool, options);
  const isAllow = options.list === "allow";
  const parameter = parameterForm.exec(spec.trim());
  const name = parameter?.[1] ?? "";
  const entry = families.get(tool);
  const own = Object.hasOwn(primaryParameters, name) ? primaryParameters[name] : undefined;
  if (own !== undefined && entry !== undefined) {
    const meant =
      entry.family === "host" ? hostOfUrl(parameter?.[2] ?? "") : (parameter?.[2] ?? "");
    return {
      matchers: readSpec(entry.family, meant, options).matchers,
      error: `\`${name}\` has a form of its own and is not compared as a parameter.`,
      hint: `Write ${own}.`,
    };
  }
  const compared: readonly Matcher[] =
    parameter === null
      ? []
      : [{ on: "parameter", names: toolNames(tool), parameter: name, value: value(parameter[2]) }];
  if (tool === "Skill") return { matchers: [...(isAllow ? [] : compared), readSkill(spec)] };
  if (entry !== undefined && !isOnlyParameter(entry.family, parameter)) {
    const reading = readSpec(entry.family, spec, options);
    const extra = isAllow || reading.error !== undefined ? [] : compared;
    const warning = entry.isHead
      ? undefined
      : `${tool}(…) is read as ${head(entry.family)}(…), for every tool that ${entry.family}s files.`;
    return {
      ...reading,
      matchers: [...reading.matchers, ...extra],
      ...(warning === undefined ? {} : { warning }),
    };
  }
  if (compared.length === 0) {
    return {
      matchers: readBare(tool, options).matchers,
      error: `${tool} takes no pattern.`,
      hint: isAllow ? `Write ${tool}.` : `Write ${tool}, or ${tool}(parameter:value).`,
    };
  }
  if (isAllow) return parameterInAllow(tool);
  return { matchers: compared };
}

function parameterInAllow(tool: string): Reading {
  return {
    matchers: [],
    error: "A parameter is compared in deny and ask lists only.",
    hint: `Deny the values that must not be, and allow ${tool}.`,
  };
}

/** Returns matchers for everything a tool name can mean, for a rule that cannot be parsed. */
export function widestMatchers(tool: string | undefined): readonly Matcher[] {
  const entry = tool === undefined ? undefined : families.get(tool);
  if (tool === undefined) return [{ on: "tool", names: [anything] }];
  const whole: Matcher = { on: "tool", names: toolNames(tool) };
  return entry === undefined ? [whole] : [whole, ...familyMatchers(entry.family)];
}

function readBare(
  tool: string,
  { list, isCeiling = false }: Omit<ReadOptions, "anchors">,
): Reading {
  const isServers = isCeiling ? /^mcp__/u : /^mcp__[^*]+?__/u;
  if (list === "allow" && tool.includes("*") && !isServers.test(tool)) {
    return {
      matchers: [],
      error: isCeiling
        ? "A list of allowed tools may use `*` in a tool name only after `mcp__`."
        : "An allow rule may use `*` in a tool name only after a server: `mcp__server__*`.",
      hint: "Name the tools, one rule each.",
    };
  }
  const matchers: Matcher[] = [{ on: "tool", names: toolNames(tool) }];
  const entry = families.get(tool);
  if (entry?.isHead === true) matchers.push(...familyMatchers(entry.family));
  const server = /^(mcp__.+?)(?:__\*)?$/u.exec(tool)?.[1];
  if (server !== undefined && !server.slice(5).includes("__")) {
    matchers.push({ on: "origin", origin: server });
  }
  return { matchers };
}

/** Returns whether rules, or entries of a list of tools, name a tool by one of its names, in any letter case. */
export function namedTools(rules: readonly string[]): (names: readonly string[]) => boolean {
  const patterns = rules.flatMap((rule) => {
    const tool = rule.split("(", 1)[0]?.trim().toLowerCase() ?? "";
    return toolNames(tool);
  });
  return (names) =>
    names.some((name) => patterns.some((each) => matchesWildcard(each, name.toLowerCase())));
}

/** `mcp__server` is every tool of the server. */
function toolNames(tool: string): readonly Wildcard[] {
  const isServer = tool.startsWith("mcp__") && !tool.slice(5).includes("__");
  return isServer
    ? [compileWildcard(tool), compileWildcard(`${tool}__*`)]
    : [compileWildcard(tool)];
}

function familyMatchers(family: Family): readonly Matcher[] {
  switch (family) {
    case "read":
      return [{ on: "read", pattern: undefined }];
    case "write":
      return [{ on: "write", pattern: undefined }];
    case "command":
      return [{ on: "execute", pattern: anyCommand }];
    case "host":
      return [
        { on: "connect", pattern: { below: undefined, labels: [], isAny: true, isNamed: false } },
      ];
    case "agent":
      return [{ on: "delegate", name: anything }];
  }
}

function readSpec(family: Family, spec: string, options: ReadOptions): Reading {
  switch (family) {
    case "read":
    case "write":
      return readPath(family, spec, options);
    case "command":
      return readCommand(spec, options.list);
    case "host":
      return readHost(spec);
    case "agent":
      return { matchers: [{ on: "delegate", name: compileWildcard(spec.trim()) }] };
  }
}

function readPath(family: "read" | "write", spec: string, options: ReadOptions): Reading {
  const { list, anchors } = options;
  const misread = misreadPath(spec);
  if (misread !== undefined) return readMisread(family, misread, options);
  const pattern = compilePathPattern(spec, anchors, list === "allow");
  if (typeof pattern === "string") {
    return { matchers: familyMatchers(family), error: pattern };
  }
  const matchers: Matcher[] = [{ on: family, pattern }];
  // A path that must not be read must not be overwritten unread either.
  if (family === "read" && list === "deny") matchers.push({ on: "write", pattern });
  return { matchers };
}

/** Returns matchers for the intended path, or for all paths where that is not known. */
function readMisread(
  family: "read" | "write",
  { because, meant }: MisreadPath,
  options: ReadOptions,
): Reading {
  return {
    matchers:
      meant === undefined ? familyMatchers(family) : readPath(family, meant, options).matchers,
    error: because,
    hint: `Write ${head(family)}(${meant ?? "//absolute/path"}).`,
  };
}

function readCommand(spec: string, list: RuleList): Reading {
  const parameter = parameterForm.exec(spec.trim());
  if (list === "allow" && parameter !== null && parameter[2] !== "*")
    return parameterInAllow("Bash");
  const reading = readCommandPattern(spec);
  if (reading.kind === "command")
    return { matchers: [{ on: "execute", pattern: reading.pattern }] };
  return {
    matchers: reading.parts.map((pattern) => ({ on: "execute", pattern }) as const),
    error:
      "A rule is compared with one command at a time, so a list, pipe or redirection never matches.",
    hint: "Write one rule for each command; what a redirection writes is a matter of Edit rules.",
  };
}

function readHost(spec: string): Reading {
  const written = /^\s*domain\s*:\s*(.*)$/su.exec(spec)?.[1];
  const host = written ?? hostOfUrl(spec);
  const pattern = compileHostPattern(host);
  if (typeof pattern === "string") {
    return {
      matchers: familyMatchers("host"),
      error: pattern,
      hint: "Write WebFetch(domain:example.com).",
    };
  }
  if (written === undefined) {
    return {
      matchers: [{ on: "connect", pattern }],
      error: "WebFetch takes a domain.",
      hint: `Write WebFetch(domain:${host.trim()}).`,
    };
  }
  return { matchers: [{ on: "connect", pattern }] };
}

function readSkill(spec: string): Matcher {
  const text = spec.trim();
  const stem = /^(.*\S)(?:\s+\*|:\*)$/su.exec(text)?.[1];
  const forms = stem === undefined ? [text] : [stem, `${stem} *`];
  return { on: "skill", forms: forms.map(compileWildcard) };
}

/** A form like `timeout:5`, which is a parameter and never a path, command or host. */
function isOnlyParameter(family: Family, parameter: RegExpExecArray | null): boolean {
  return (
    family === "host" &&
    parameter !== null &&
    parameter[1] !== "domain" &&
    !/^https?$/u.test(parameter[1] ?? "")
  );
}

function value(text: string | undefined): Wildcard {
  return compileWildcard((text ?? "").trim());
}

function hostOfUrl(text: string): string {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]*@)?([^/:?#\s]+)/iu.exec(text.trim());
  return match?.[1] ?? text;
}

function head(family: Family): string {
  return family === "read" ? "Read" : "Edit";
}

/** A path of a rule that never stands for what was probably meant by it. */
interface MisreadPath {
  /** One sentence. */
  readonly because: string;
  /** The path as a rule takes it, where it is known. */
  readonly meant: string | undefined;
}

/** Reads what only a shell, a browser or another system takes for a path: variables, other homes, quotes, URLs, drives. */
function misreadPath(spec: string): MisreadPath | undefined {
  const text = spec.trim();
  const quoted = /^(["'`])(.+)\1$/su.exec(text)?.[2];
  if (quoted !== undefined) {
    const meant = misreadPath(quoted);
    return {
      because: "A path in quotes matches a name with quotes only.",
      meant: meant === undefined ? quoted : meant.meant,
    };
  }
  const home = /^(?:\$HOME|\$\{HOME\})(\/.*)?$/su.exec(text);
  if (home !== null) {
    return { because: "Variables are not expanded in a rule.", meant: `~${home[1] ?? ""}` };
  }
  if (/^\$(?:[A-Z_][A-Z\d_]*|\{\w+\})(?:\/|$)/u.test(text)) {
    return { because: "Variables are not expanded in a rule.", meant: undefined };
  }
  if (/^~[a-z_][\w-]*(?:\/|$)/u.test(text)) {
    return { because: "Only ~ itself stands for a home directory.", meant: undefined };
  }
  const file = /^file:\/\/(?:localhost)?(\/.*)$/isu.exec(text)?.[1];
  if (file !== undefined) return { because: "A URL is not a path.", meant: `/${file}` };
  if (/^[a-z][a-z\d+.-]*:\/\//iu.test(text))
    return { because: "A URL is not a path.", meant: undefined };
  return undefined;
}
