import { printToolError } from "../../print/print-tool-error.ts";
import { ToolError, type Kit, type SkillListing } from "../../../index.ts";
import { didYouMean } from "../../input/nearest.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { openQuietly } from "../../open-kit.ts";
import { kitOptions, recordOptionsHelp } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { scopeOf } from "./offer-review.ts";
import { add, remove, search, update } from "./skill-hubs.ts";
import { UsageError } from "../../usage-error.ts";

const help = `Usage: haft skills [list]          list the skills of the workspace and of the user
       haft skills show NAME       print a skill, with its files and limits
       haft skills search WORDS    find skills on the hubs of the setting skillHubs
       haft skills add ID          install a skill that a search found, as in clawhub:notes
       haft skills update [NAME]   install the current version of one skill, or of all
       haft skills remove NAME     remove a skill that came from a hub
       haft skills validate [DIR]  check one directory, or all skills, against the format of agentskills.io

Skills are read from .haft/skills, .agents/skills and .claude/skills of the workspace and of your home directory
(docs/skills.md). Those of a workspace that is not trusted are hidden from models: haft trust add makes them usable.

Before a skill is installed you see its files, its scripts with their effects, the tools it asks for, hidden text, and
the differences from the installed version. None of its code runs during the review. The skill is pinned by its hash in
.haft/skills-lock.json.

      --scope SCOPE     user (the default), or project: for everyone in this project
${recordOptionsHelp({ yes: true, trust: true })}
Exit codes: 0 ok, 1 a skill is not valid or does not exist, 2 usage, 4 no user could be asked and --yes was not
given.
`;

interface Asked {
  readonly kit: Kit;
  readonly name: string | undefined;
  readonly json: boolean;
  readonly terminal: Terminal;
}

const verbs = { list, show, validate } as const;
const hubVerbs = { search, add, update, remove } as const;

/** Next step where the argument of a verb is missing. */
const examples = {
  search: "As in haft skills search release notes.",
  add: "As in haft skills add clawhub:notes; haft skills search finds ids.",
  remove: "haft skills lists the names.",
} as const;

const options = { ...kitOptions, scope: { type: "string" } } as const;

/** `haft skills`: lists, shows and checks skills. */
export async function skills(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, options);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [verb = "list", name, ...rest] = given;
  const names = [...Object.keys(verbs), ...Object.keys(hubVerbs)];
  if (!isVerb(verb) && !isHubVerb(verb)) {
    throw new UsageError(
      `skills has no ${JSON.stringify(verb)}.${didYouMean(verb, names)}`,
      `It can ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`,
    );
  }
  if (verb !== "search") refuseMore(rest, 0, `haft skills ${verb} takes one name.`);
  if (name === undefined && (verb === "search" || verb === "add" || verb === "remove")) {
    throw new UsageError(`haft skills ${verb} needs an argument.`, examples[verb]);
  }
  const scope = scopeOf(values.scope);
  if (verb === "show" && name === undefined) {
    throw new UsageError("Show which skill?", "haft skills lists the names.");
  }
  const kit = await openQuietly(values, terminal);
  try {
    if (isHubVerb(verb)) {
      const text = verb === "search" ? [name, ...rest].join(" ") : name;
      return await hubVerbs[verb]({ kit, name: text, scope, values, terminal });
    }
    return await verbs[verb]({ kit, name, json: values.json === true, terminal });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    printToolError(error, terminal);
    return exitCodes.failed;
  } finally {
    await kit.dispose();
  }
}

function isHubVerb(name: string): name is keyof typeof hubVerbs {
  return Object.hasOwn(hubVerbs, name);
}

function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name);
}

async function list({ kit, json, terminal }: Asked): Promise<ExitCode> {
  const all = await kit.skills.list();
  if (json) terminal.out(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) terminal.err("There are no skills here.\n");
  else {
    const width = Math.max(...all.map(({ name }) => name.length));
    for (const skill of all) {
      const state = stateOf(skill);
      const place = terminal.style("dim", visibleText(`${skill.file}${state}`));
      terminal.out(
        `${visibleText(skill.name.padEnd(width))}  ${visibleText(skill.description)}  ${place}\n`,
      );
    }
  }
  return exitCodes.ok;
}

function stateOf({ needsTrust, faults, isModelInvocable, allowedTools }: SkillListing): string {
  const marks = [
    ...(needsTrust ? ["needs trust"] : []),
    ...(faults.length > 0 ? ["cannot be used"] : []),
    ...(isModelInvocable ? [] : ["only for the user"]),
    ...(allowedTools === undefined ? [] : [`limited to ${allowedTools.join(", ")}`]),
  ];
  return marks.length === 0 ? "" : ` (${marks.join("; ")})`;
}

async function show({ kit, name, json, terminal }: Asked): Promise<ExitCode> {
  const all = await kit.skills.list();
  const found = all.filter((skill) => skill.name === name);
  const [skill] = found;
  if (skill === undefined) {
    const near = didYouMean(
      name ?? "",
      all.map((each) => each.name),
    );
    terminal.err(`haft: There is no skill ${visibleText(JSON.stringify(name))}.${near}\n`);
    return exitCodes.failed;
  }
  const text = await kit.skills.show(skill.file);
  if (json) {
    terminal.out(`${JSON.stringify({ ...skill, text }, null, 2)}\n`);
    return exitCodes.ok;
  }
  terminal.err(`${terminal.style("dim", visibleText(`${skill.file}${stateOf(skill)}`))}\n`);
  for (const { message } of [...skill.faults, ...skill.notes]) {
    terminal.err(`${visibleText(message)}\n`);
  }
  terminal.out(`${visibleText(text.trimEnd())}\n`);
  return exitCodes.ok;
}

async function validate({ kit, name, json, terminal }: Asked): Promise<ExitCode> {
  const all = name === undefined ? await kit.skills.list() : [await kit.skills.validate(name)];
  if (json) terminal.out(`${JSON.stringify(all, null, 2)}\n`);
  else if (all.length === 0) terminal.err("There are no skills here.\n");
  for (const { file, faults, notes } of json ? [] : all) {
    const problems = [...faults, ...notes];
    terminal.out(`${problems.length === 0 ? "✓" : "!"} ${visibleText(file)}\n`);
    for (const { message, line } of problems) {
      terminal.out(
        `    ${visibleText(line === undefined ? message : `line ${line}: ${message}`)}\n`,
      );
    }
  }
  const isValid = all.every(({ faults, notes }) => faults.length + notes.length === 0);
  return isValid ? exitCodes.ok : exitCodes.failed;
}
