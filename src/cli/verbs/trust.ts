import type { Kit, WorkspaceTrust } from "../../index.ts";
import { confirmed } from "../prompt/confirm.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { didYouMean } from "../input/nearest.ts";
import { openQuietly } from "../open-kit.ts";
import { kitOptions, recordOptionsHelp, type KitValues } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { visibleText } from "../print/visible-text.ts";

const help = `Usage: haft trust [show [DIR]]       show whether the workspace is trusted, and what it contains
       haft trust add [DIR] [--yes]  show what its settings would permit, then trust it as it is now
       haft trust remove [DIR]       end trust

A workspace that is not trusted may only forbid things. Once you trust it, its own files may run hooks, checkers,
language servers and tools, start agents and MCP servers, set environment variables, allow calls without a question,
name directories that count as inside the workspace, choose models and the mode, and loosen limits and the sandbox.
Trust is stored with your own data. It applies to the real path of the directory and to the content of its configuration
as it is now: when that content changes, trust ends.

${recordOptionsHelp({ yes: true })}
Exit codes: 0 ok, 1 nothing was changed, 2 usage, 4 no user could be asked and --yes was not given.
`;

interface Asked {
  readonly kit: Kit;
  readonly values: KitValues;
  readonly terminal: Terminal;
}

const verbs = { show, add, remove } as const;

/** `haft trust`: shows and records whether the user trusts a workspace, so that its settings may allow more. */
export async function trust(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [name = "show", folder, ...rest] = given;
  if (!isVerb(name)) {
    throw new UsageError(
      `trust has no ${JSON.stringify(name)}.${didYouMean(name, Object.keys(verbs))}`,
      "It can show, add and remove; a directory comes after that.",
    );
  }
  refuseMore(rest, 0, `haft trust ${name} takes one directory.`);
  if (folder !== undefined && values.workspace !== undefined) {
    throw new UsageError("There are two directories.", "Name one, with -C or without.");
  }
  const workspace = folder ?? values.workspace;
  // Untrusted, so that no setting of the workspace applies while the user decides.
  const kit = await openQuietly(values, terminal, {
    trust: false,
    ...(workspace === undefined ? {} : { workspace }),
  });
  try {
    return await verbs[name]({ kit, values, terminal });
  } finally {
    await kit.dispose();
  }
}

function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name);
}

async function show(asked: Asked): Promise<ExitCode> {
  const { kit, values, terminal } = asked;
  const found = await kit.workspace.trust();
  if (values.json === true) print(found, asked);
  else {
    terminal.out(`${visibleText(found.workspace)} ${stateOf(found)}\n`);
    for (const line of described(found, await hookLines(kit))) terminal.out(`${line}\n`);
    if (!found.trusted && found.brings.length > 0) terminal.out(`${howToTrust}\n`);
  }
  return exitCodes.ok;
}

async function add(asked: Asked): Promise<ExitCode> {
  const { kit, values, terminal } = asked;
  const found = await kit.workspace.trust();
  if (found.trusted) {
    if (values.json === true) print(found, asked);
    else terminal.out(`${visibleText(found.workspace)} ${stateOf(found)}\n`);
    return exitCodes.ok;
  }
  terminal.err(`${visibleText(found.workspace)} ${stateOf(found)}\n`);
  const lines = [...described(found, await hookLines(kit)), ...consequences];
  for (const line of lines) terminal.err(`${line}\n`);
  if (values.yes !== true) {
    if (!terminal.canAsk) {
      terminal.err(
        "haft: no user can be asked here, so nothing was trusted.\nAdd --yes to confirm in advance.\n",
      );
      return exitCodes.approvalNeeded;
    }
    if (!(await confirmed("Trust this workspace?", terminal))) {
      terminal.err("Nothing was recorded.\n");
      return exitCodes.failed;
    }
  }
  // Records exactly what was shown: a change made while the user decided is not trusted.
  await found.accept();
  const now = await kit.workspace.trust();
  if (values.json === true) print(now, asked);
  else terminal.out(`${visibleText(now.workspace)} ${stateOf(now)}\n`);
  return now.trusted ? exitCodes.ok : exitCodes.failed;
}

async function remove(asked: Asked): Promise<ExitCode> {
  const { kit, values, terminal } = asked;
  const found = await kit.workspace.trust();
  const { trusted, changed, workspace } = found;
  const wasRecorded = trusted || changed.length > 0;
  if (wasRecorded) await found.revoke();
  if (values.json === true) print(await kit.workspace.trust(), asked);
  else if (wasRecorded) terminal.out(`${visibleText(workspace)} is not trusted any more.\n`);
  else terminal.err(`haft: ${visibleText(workspace)} was not trusted.\n`);
  return wasRecorded ? exitCodes.ok : exitCodes.failed;
}

function stateOf({ trusted, changed }: WorkspaceTrust): string {
  if (trusted) return "is trusted: its own settings may allow things.";
  if (changed.length === 0) return "is not trusted: its own settings may only forbid things.";
  const named = visibleText(changed.join(", "));
  return `was trusted but has changed since: ${named}. Its own settings may only forbid things.`;
}

function described(found: WorkspaceTrust, hooks: readonly string[]): string[] {
  const { brings, trusted, permits, allows, workspace, programs } = found;
  if (brings.length === 0) return ["It contains nothing that needs trust."];
  const rules = allows.map((rule) => `  allow  ${visibleText(rule)}`);
  const would = trusted ? "Its settings ask for:" : "If you trust it, its settings ask for:";
  const asks = permits.map((each) => `  ${visibleText(each.replace(`${workspace}/`, ""))}`);
  return [
    "It contains:",
    ...brings.map((name) => `  ${visibleText(name)}`),
    ...(asks.length === 0
      ? programs.length + hooks.length > 0
        ? []
        : ["Its settings ask for nothing that needs trust."]
      : [would, ...asks, ...rules]),
    ...programLines(programs, hooks),
    ...hooks,
  ];
}

/** Programs that the workspace starts, except those of hooks that are listed with their matchers. */
function programLines(
  programs: WorkspaceTrust["programs"],
  hooks: readonly string[],
): readonly string[] {
  const others = programs.filter(
    ({ what, command }) =>
      !what.startsWith("hook ") || !hooks.some((line) => shown(line).includes(shown(command))),
  );
  const uncovered = programs.filter((each) => each.uncovered.length > 0);
  return [
    ...(others.length === 0 ? [] : ["Programs that it starts, only while it is trusted:"]),
    ...others.map(({ what, command }) => `  ${shown(`${nameOf(what)}: ${command}`)}`),
    ...(uncovered.length === 0
      ? []
      : ["Trust covers the files that its commands name, but not what these parts of them run:"]),
    ...uncovered.map((each) => `  ${shown(`${nameOf(each.what)}: ${each.uncovered.join(", ")}`)}`),
  ];
}

/** Name of a program in front of its command; in quotes where the name could be taken for a command itself. */
function nameOf(what: string): string {
  return what.includes(": ") ? JSON.stringify(what) : what;
}

function shown(text: string): string {
  return visibleText(text.replaceAll(/\s+/gu, " "));
}

/** The hooks that run once the workspace is trusted. */
async function hookLines(kit: Kit): Promise<readonly string[]> {
  const hooks = (await kit.hooks.list()).filter(({ needsTrust }) => needsTrust);
  if (hooks.length === 0) return [];
  const lines = hooks.map(({ event, matcher, text }) => {
    const name = matcher === "" ? event : `${event}(${matcher})`;
    return `  ${visibleText(`${nameOf(name)}: ${text}`)}`;
  });
  return ["Its hooks, which run only while it is trusted:", ...lines];
}

const howToTrust = "If this is yours, haft trust add trusts it as it is now.";

const consequences = [
  "In a trusted workspace, its own files may run hooks, checkers, language servers and tools, start agents and MCP",
  "servers, set environment variables, allow calls without a question, name directories that count as inside, choose",
  "models and the mode, and loosen limits and the sandbox.",
  "Trust applies to these files as they are now; when one changes, trust ends.",
];

function print(found: WorkspaceTrust, { terminal }: Asked): void {
  terminal.out(`${JSON.stringify(found, null, 2)}\n`);
}
