import type { Site } from "../walk/invocation-context.ts";
import { leadingText, mayBeOption, type Argument } from "../words/words.ts";
import { entriesByName, isMeant } from "./starts.ts";

/** Options whose value is a text that is compared, shown or stored, and no path of this machine. */
const texts: Readonly<Record<string, string>> = {
  "vitest jest playwright mocha cypress ava": "-t -g --grep --fgrep --testNamePattern",
  pytest: "-k -m",
  rspec: "-e --example",
  "gh glab": "-b --body -t --title -n --notes -q --jq -S --search --description --subject",
  "npm pnpm yarn": "-m --message",
  "docker podman nerdctl": "--build-arg --label -l",
  "kubectl oc": "-p --patch",
};

const textsByName = new Map(
  entriesByName(texts).map(([name, options]) => [name, options.split(" ")] as const),
);

/** Words before the name of a tool that is started by another one: `npx vitest`, `python -m pytest`. */
const runners: ReadonlyMap<string, string> = new Map(
  entriesByName({
    "npx bunx pnpx yarn": "",
    "pnpm npm bundle": "exec",
    "poetry uv pipenv hatch pdm": "run",
    "python python3": "-m",
  }),
);

/**
 * Words of a command that may name files of this machine. Left out are words that name files of another one, such as
 * those after the name of a container, and texts.
 */
export function localWords(site: Site): readonly Argument[] {
  return withoutTexts(site.name, onThisMachine(site.name, site.args));
}

function withoutTexts(name: string, args: readonly Argument[]): readonly Argument[] {
  const tool = runners.get(name);
  const started = tool === "" ? args[0] : tool === args[0] ? args[1] : undefined;
  const own = textsByName.get(name) ?? [];
  const known = [...own, ...(textsByName.get(leadingText(started ?? "")) ?? [])];
  if (known.length === 0 || !args.some(mayBeOption)) return args;
  return args.filter((word, index) => {
    const before = args[index - 1];
    const isValue = typeof before === "string" && known.some((each) => isMeant(before, each));
    if (isValue && !leadingText(word).startsWith("-")) return false;
    const [option = "", ...value] = leadingText(word).split("=");
    return value.length === 0 || !known.some((each) => isMeant(option, each));
  });
}

/** A program that starts another one elsewhere, with words for the program there. */
interface Remote {
  /** Words before the options, which name the action. */
  readonly action: RegExp;
  /** Options of one letter, and long ones, that take no value. */
  readonly flags: RegExp;
  /** Options whose value names something elsewhere. */
  readonly elsewhere: RegExp;
  /** Number of operands before the words for the program there. */
  readonly operands: number;
}

const containerFlags =
  /^(?:[ditTqP]|--(?:rm|init|privileged|detach|interactive|tty|read-only|publish-all|no-healthcheck|quiet|no-deps|service-ports|no-TTY|build|remove-orphans|quiet-pull|use-aliases))$/u;
const containerValues = /^(?:-[ewlu]|--(?:env|workdir|entrypoint|tmpfs|label|user))$/u;

const remotes: ReadonlyMap<string, Remote> = new Map(
  entriesByName({
    "docker podman nerdctl": {
      action:
        /^(?:(?:container )?(?:run|exec|create)|compose (?:(?:-f|--file|-p|--project-name|--profile|--env-file) \S+ )*(?:run|exec))(?= |$)/u,
      flags: containerFlags,
      elsewhere: containerValues,
      operands: 1,
    },
    ssh: {
      action: /^/u,
      flags: /^[46AaCfGgKkMNnqsTtVvXxYy]$/u,
      elsewhere: /^-[LRDWJlpc]$/u,
      operands: 1,
    },
  }),
);

function onThisMachine(name: string, args: readonly Argument[]): readonly Argument[] {
  if (/^(?:kubectl|oc)$/u.test(name)) return beforePod(args);
  if (/^(?:scp|sftp|rsync)$/u.test(name)) return withoutHosts(args);
  const remote = remotes.get(name);
  if (remote === undefined) return args;
  if (args[0] === "cp") return withoutHosts(args);
  const start = remote.action.exec(args.map(plainText).join(" "))?.[0];
  if (start === undefined) return args;
  const count = start === "" ? 0 : start.split(" ").length;
  return [...args.slice(0, count), ...beforeCommand(args.slice(count), remote)];
}

/** The options and the operands before the command, without what they name elsewhere. */
function beforeCommand(args: readonly Argument[], remote: Remote): readonly Argument[] {
  const local: Argument[] = [];
  let left = remote.operands;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    const text = plainText(word);
    if (!text.startsWith("-") || text === "-") {
      local.push(word);
      left -= 1;
      if (left === 0) return local;
      continue;
    }
    const { option, value } = splitOption(text, remote.flags);
    const isNext = option !== undefined && value === undefined;
    const given = isNext ? args[index + 1] : (value ?? word);
    if (isNext) index++;
    if (option === undefined || given === undefined || remote.elsewhere.test(option)) continue;
    local.push(hostPart(option, given));
  }
  return local;
}

/** The option of a word that takes a value, with the value if it is in the same word. */
function splitOption(
  text: string,
  flags: RegExp,
): { readonly option?: string; readonly value?: string } {
  const [, long, value] = /^(--[^=]*)(?:=(.*))?$/su.exec(text) ?? [];
  if (long !== undefined) {
    if (value !== undefined) return { option: long, value };
    return flags.test(long) ? {} : { option: long };
  }
  const letters = Array.from(text.slice(1));
  const at = letters.findIndex((letter) => !flags.test(letter));
  if (at === -1) return {};
  const rest = letters.slice(at + 1).join("");
  const option = `-${letters[at] ?? ""}`;
  return rest === "" ? { option } : { option, value: rest.replace(/^=/u, "") };
}

/** Part of a volume that is on this machine: `-v ./data:/data` and `--mount source=/a,target=/b`. */
function hostPart(option: string, value: Argument): Argument {
  if (typeof value !== "string") return value;
  if (option === "-v" || option === "--volume") {
    return value.includes(":") ? value.slice(0, value.indexOf(":")) : "";
  }
  return option === "--mount"
    ? value.replaceAll(/\b(?:target|dst|destination)=[^,]*/gu, "")
    : value;
}

/** Words of `kubectl exec` and `kubectl run` before the command, and of `kubectl cp` without those in a pod. */
function beforePod(args: readonly Argument[]): readonly Argument[] {
  const text = args.map(plainText).join(" ");
  const verb = /^(?:(?:-n|--namespace|--context) \S+ |--(?:namespace|context)=\S+ )*(\w+)/u.exec(
    text,
  )?.[1];
  if (verb === "cp") return withoutHosts(args);
  const end = verb === "exec" || verb === "run" ? args.indexOf("--") : -1;
  return end === -1 ? args : args.slice(0, end);
}

/** Words without those that name a file of another machine, as `host:/path` does. */
function withoutHosts(args: readonly Argument[]): readonly Argument[] {
  return args.filter(
    (word) => !/^[\w.@-]+:/u.test(plainText(word)) || plainText(word).startsWith("-"),
  );
}

/** Text of a word; blanks in it cannot be taken for those between words. */
function plainText(word: Argument): string {
  return typeof word === "string" ? word.replaceAll(/\s/gu, "\u0001") : "\u0001";
}
