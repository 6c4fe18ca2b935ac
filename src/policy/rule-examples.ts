import { joinPath, type Effect, type ExecuteEffect } from "../core/index.ts";
import { allowsCommand, forbidsCommand } from "./command-pattern.ts";
import { matchesHost } from "./host-pattern.ts";
import { coversPath, type PathAnchors } from "./path-pattern.ts";
import type { CompileOptions, Matcher, RuleList, RuleSpec } from "./rule.ts";
import { matchesWildcard } from "./wildcard.ts";

/** A rule on trial: what it looks at, and where relative examples start. */
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
        const isMatch = (command: ExecuteEffect): boolean =>
          trial.list === "allow"
            ? allowsCommand(matcher.pattern, command)
            : forbidsCommand(matcher.pattern, command) === "yes";
        if (commands.length === 0) return false;
        return trial.list === "allow" ? commands.every(isMatch) : commands.some(isMatch);
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
        return matchesHost(matcher.pattern, hostOf(example));
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

function commandsOf(example: string, options: CompileOptions): readonly ExecuteEffect[] {
  const effects = options.effectsOf?.("Bash", example) ?? plainCommand(example);
  return effects.filter((effect) => effect.kind === "execute");
}

/** Words parted by spaces, where nobody can read shell text: enough for examples without quotes. */
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
