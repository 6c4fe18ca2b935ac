import { joinPath } from "../../text/index.ts";
import { type Effect, type ExecuteEffect } from "../../core/index.ts";
import { namedRuns, starts } from "../match/allowed-runs.ts";
import { allowsCommand, forbidsCommand, type CommandPattern } from "../match/command-pattern.ts";
import { matchesHost } from "../match/host-pattern.ts";
import { coversPath, type PathAnchors } from "../match/path-pattern.ts";
import type { CompileOptions, Matcher, RuleList, RuleSpec } from "./rule.ts";
import { matchesWildcard } from "../match/wildcard.ts";

/** A rule to check against its examples: its matchers, and the base directory of relative examples. */
export interface Trial {
  readonly list: RuleList;
  readonly matchers: readonly Matcher[];
  readonly anchors: PathAnchors;
}

/** The first example of `match` or `notMatch` that comes out otherwise, in a sentence. */
export function exampleFails(
  spec: RuleSpec,
  trial: Trial,
  options: CompileOptions,
): string | undefined {
  for (const example of listOf(spec.match)) {
    if (!matchesExample(example, trial, options)) {
      return `It does not match its own example ${JSON.stringify(example)}.`;
    }
  }
  for (const example of listOf(spec.notMatch)) {
    if (matchesExample(example, trial, options)) {
      return `It matches ${JSON.stringify(example)}, which it should not.`;
    }
  }
  return undefined;
}

function matchesExample(example: string, trial: Trial, options: CompileOptions): boolean {
  return trial.matchers.some((matcher) => {
    switch (matcher.on) {
      case "execute": {
        const commands = commandsOf(example, options);
        return trial.list === "allow"
          ? allowsAll(matcher.pattern, commands)
          : commands.some((command) => forbidsCommand(matcher.pattern, command) === "yes");
      }
      case "read":
      case "write":
        return (
          matcher.pattern === undefined ||
          coversPath(matcher.pattern, {
            path: pathOf(example, trial.anchors),
            isTree: example.endsWith("/"),
            lenient: trial.list !== "allow",
          })
        );
      case "connect":
        return matchesHost(matcher.pattern, hostOf(example), trial.list);
      case "delegate":
        return matchesWildcard(matcher.name, example);
      case "skill":
        return matcher.forms.some((form) => matchesWildcard(form, example));
      case "tool":
        return matcher.names.some((name) => matchesWildcard(name, example));
      case "parameter":
        return matchesWildcard(matcher.value, example);
      case "origin":
        return matcher.origin === example;
    }
  });
}

/** Whether a pattern alone names all that runs; a launcher that does nothing else needs no name of its own. */
function allowsAll(pattern: CommandPattern, commands: readonly ExecuteEffect[]): boolean {
  const asked = commands.filter(
    (command) =>
      command.consequences === "open" || !commands.some((other) => starts(command, other)),
  );
  const runs = namedRuns(commands, (command) =>
    allowsCommand(pattern, command) ? { pattern } : undefined,
  );
  const named = new Set(
    runs.filter(({ entry }) => entry !== undefined).map(({ effect }) => effect),
  );
  return asked.length > 0 && asked.every((command) => named.has(command));
}

function commandsOf(example: string, options: CompileOptions): readonly ExecuteEffect[] {
  const effects = options.effectsOf?.("Bash", example) ?? plainCommand(example);
  return effects.filter((effect) => effect.kind === "execute");
}

/** Splits words at spaces where no shell parser is available: enough for examples without quotes. */
function plainCommand(example: string): readonly Effect[] {
  const words = example.split(/\s+/u).filter((word) => word !== "");
  if (words.length === 0 || /["'`$\\;|&<>(){}]/u.test(example)) return [];
  return [
    {
      kind: "execute",
      argv: words,
      assigns: [],
      via: [],
      consequences: "open",
      span: { start: 0, end: example.length },
    },
  ];
}

function pathOf(example: string, anchors: PathAnchors): string {
  if (example.startsWith("~/")) return joinPath(anchors.home, example.slice(2));
  return joinPath(anchors.cwd, example);
}

function hostOf(example: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]+)/iu.exec(example)?.[1] ?? example;
}

function listOf(examples: unknown): readonly string[] {
  return Array.isArray(examples) ? examples.filter((each) => typeof each === "string") : [];
}
