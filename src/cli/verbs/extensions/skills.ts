import type { Kit, SkillListing } from "../../../index.ts";
import { didYouMean } from "../../input/nearest.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { openQuietly } from "../../open-kit.ts";
import { kitOptions, kitOptionsHelp } from "../../options.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";

const help = `Usage: haft skills [list]          the skills of the workspace and of the user
       haft skills show NAME       what a skill says, with its files and limits
       haft skills validate [DIR]  check one directory, or all skills, against the format of agentskills.io

Skills are read from .haft/skills, .agents/skills and .claude/skills of the workspace and of your home directory
(docs/skills.md). Those of a workspace that is not trusted are hidden from models.

${kitOptionsHelp}
Exits with 0 ok, 1 a skill is not valid or does not exist, 2 usage.
`;

interface Asked {
  readonly kit: Kit;
  readonly name: string | undefined;
  readonly json: boolean;
  readonly terminal: Terminal;
}

const verbs = { list, show, validate } as const;

/** `haft skills`: lists, shows and checks skills. */
export async function skills(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [verb = "list", name, ...rest] = given;
  if (!isVerb(verb)) {
    throw new UsageError(
      `skills has no ${JSON.stringify(verb)}.${didYouMean(verb, Object.keys(verbs))}`,
      "It can list, show and validate.",
    );
  }
  refuseMore(rest, 0, `haft skills ${verb} takes one name.`);
  if (verb === "show" && name === undefined) {
    throw new UsageError("Show which skill?", "haft skills lists the names.");
  }
  const kit = await openQuietly(values, terminal);
  try {
    return await verbs[verb]({ kit, name, json: values.json === true, terminal });
  } finally {
    await kit.dispose();
  }
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
