import type { Kit, ListedRule, RuleChange } from "../../../index.ts";
import { confirmed } from "../../prompt/confirm.ts";
import { exitCodeOfExplanation } from "../explain/explain.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { didYouMean } from "../../input/nearest.ts";
import { openKit } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp, type KitValues } from "../../options.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { toolInput } from "../../input/tool-input.ts";
import { UsageError } from "../../usage-error.ts";

const help = `Usage: haft permissions list                             list the rules that apply, with file and line
       haft permissions add 'RULE' [--match EXAMPLE]...  show a rule, then save it
       haft permissions remove 'RULE'                    remove a saved rule from its file
       haft permissions test '<command>' | TOOL [key=text | JSON]...
                                                         show which rule decides about it

  haft permissions add 'Bash(npm run *)' --match 'npm run build' --not-match 'npm publish'
  haft permissions add 'Read(./secrets/**)' --list deny --scope project

      --list LIST       allow, ask or deny (default: allow)
      --scope SCOPE     local (this workspace, for you), project (for everyone) or user (default: local)
      --match TEXT      a command, path or host the rule must match, checked before it is saved; may be repeated
      --not-match TEXT  one that it must not match; may be repeated
${kitOptionsHelp}`;

const options = {
  ...kitOptions,
  list: { type: "string" },
  scope: { type: "string" },
  match: { type: "string", multiple: true },
  "not-match": { type: "string", multiple: true },
} as const;

type Values = ReturnType<typeof parseWords<typeof options>>["values"];

interface Asked {
  readonly kit: Kit;
  readonly values: Values & KitValues;
  /** Arguments after the verb. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
}

const verbs = { list, add, remove, test } as const;

/** `haft permissions`: lists, adds and removes rules for the user. */
export async function permissions(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, options);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [name = "list", ...rest] = given;
  if (!isVerb(name)) {
    throw new UsageError(
      `permissions has no ${JSON.stringify(name)}.${didYouMean(name, Object.keys(verbs))}`,
      "It can list, add, remove and test.",
    );
  }
  const kit = await openKit(values, terminal);
  try {
    return await verbs[name]({ kit, values, words: rest, terminal });
  } finally {
    await kit.dispose();
  }
}

function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name);
}

async function list({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  refuseMore(words, 0, "haft permissions list takes no arguments.");
  const rules = kit.permissions.list();
  if (values.json === true) {
    terminal.out(`${JSON.stringify(rules, null, 2)}\n`);
    return exitCodes.ok;
  }
  if (rules.length === 0) terminal.err("There are no rules; only the mode decides.\n");
  for (const rule of rules) terminal.out(`${described(rule)}\n`);
  return exitCodes.ok;
}

function described({ rule, list: name, scope, file, line, counts }: ListedRule): string {
  const place = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`;
  const idle = counts ? "" : "  (does not count: expired, or the workspace is not trusted)";
  return `${name.padEnd(5)}  ${rule}  ${place}${idle}`;
}

async function add(asked: Asked): Promise<ExitCode> {
  const { kit, values, terminal } = asked;
  const { match, "not-match": notMatch } = values;
  const addition = {
    ...changeOf(asked),
    ...(match === undefined ? {} : { match }),
    ...(notMatch === undefined ? {} : { notMatch }),
  };
  const texts = await kit.permissions.check(addition);
  for (const text of texts) {
    terminal.err(`${addition.list} in the ${addition.scope} settings: ${text}\n`);
  }
  if (!(await isConfirmed("Save it?", asked))) {
    terminal.err("Nothing was saved.\n");
    return exitCodes.failed;
  }
  const saved = await kit.permissions.add(addition);
  if (values.json === true) terminal.out(`${JSON.stringify(saved, null, 2)}\n`);
  else {
    for (const { rule, file, line, wasThere } of saved) {
      terminal.out(`${wasThere ? "Already saved" : "Saved"}: ${rule} (${file}:${line})\n`);
    }
  }
  return exitCodes.ok;
}

async function remove(asked: Asked): Promise<ExitCode> {
  const { kit, terminal } = asked;
  const change = changeOf(asked);
  const wasThere = await kit.permissions.remove(change);
  if (wasThere) {
    terminal.out(`Removed: ${change.rule} (${change.list}, ${change.scope} settings)\n`);
    return exitCodes.ok;
  }
  const elsewhere = kit.permissions.list().filter(({ rule }) => rule === change.rule);
  terminal.err(
    `haft: there is no ${change.list} rule ${change.rule} in the ${change.scope} settings.\n`,
  );
  for (const rule of elsewhere) terminal.err(`The rule is here: ${described(rule)}\n`);
  if (elsewhere.length === 0) terminal.err("haft permissions list shows the rules.\n");
  return exitCodes.failed;
}

async function test({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  const [name, ...rest] = words;
  if (name === undefined) {
    throw new UsageError(
      "Test what?",
      "haft permissions test 'npm publish', or a tool and its input.",
    );
  }
  const isCommand = rest.length === 0 && kit.registry.resolve(name) === undefined;
  const call = isCommand
    ? { name: "Bash", input: { command: name } }
    : { name, input: await toolInput(kit, { name, words: rest, terminal }) };
  const { decision, error } = await kit.explain(call);
  if (values.json === true) {
    terminal.out(`${JSON.stringify(error === undefined ? { decision } : { error }, null, 2)}\n`);
  } else if (error !== undefined) {
    terminal.out(`${error.code}: ${error.message}\n`);
    if (error.hint !== undefined) terminal.out(`${error.hint}\n`);
  } else if (decision !== undefined) {
    const { rule } = decision;
    const place = rule?.file === undefined ? rule?.scope : `${rule.file}:${rule.line ?? 1}`;
    const by = rule === undefined ? "no rule applies" : `${rule.rule} (${place ?? ""})`;
    terminal.out(`${decision.kind}: ${by}\n`);
    if (decision.kind !== "allow") terminal.out(`${decision.reason}\n`);
  }
  return exitCodeOfExplanation({
    ...(decision === undefined ? {} : { decision }),
    ...(error === undefined ? {} : { error }),
  });
}

function changeOf({ values, words }: Asked): Required<RuleChange> {
  const [rule, ...others] = words;
  if (rule === undefined || others.length > 0) {
    throw new UsageError("Give exactly one rule, in quotes.", "As in 'Bash(npm run *)'.");
  }
  return {
    rule,
    list: oneOf(values.list ?? "allow", ["allow", "ask", "deny"], "list"),
    scope: oneOf(values.scope ?? "local", ["local", "project", "user"], "scope"),
  };
}

function oneOf<T extends string>(text: string, names: readonly T[], what: string): T {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no ${what} ${JSON.stringify(text)}.${didYouMean(text, names)}`,
    `--${what} is one of ${names.join(", ")}.`,
  );
}

async function isConfirmed(question: string, { values, terminal }: Asked): Promise<boolean> {
  // A user who types the whole rule without a terminal to be asked in has confirmed it.
  if (values.yes === true || !terminal.canAsk) return true;
  return await confirmed(question, terminal);
}
