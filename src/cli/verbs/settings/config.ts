import type { Kit, SavedSetting, SettingEntry } from "../../../index.ts";
import { confirmed } from "../../prompt/confirm.ts";
import { exitCodes, type ExitCode } from "../../exit-codes.ts";
import { didYouMean } from "../../input/nearest.ts";
import { openQuietly } from "../../open-kit.ts";
import { kitOptions, recordOptionsHelp, type KitValues } from "../../options.ts";
import { parseWords, refuseMore } from "../../input/parse-arguments.ts";
import type { Terminal } from "../../terminal.ts";
import { UsageError } from "../../usage-error.ts";
import { visibleText } from "../../print/visible-text.ts";
import { checkReport } from "./check-report.ts";

const help = `Usage: haft config show [KEY]        show the settings that apply; with --origin, all of them, with file and line
       haft config get KEY           print one value, as JSON
       haft config set KEY VALUE     write a setting to a file; comments in the file are kept
       haft config unset KEY         remove a setting from a file
       haft config check             check every file that the project brings, and report each problem with its line

  haft config show --origin limits
  haft config set limits.bash.timeoutMs 300000 --scope user
  haft config set tools.WebFetch.enabled false --scope project
  haft config set env '{ "NODE_ENV": "test" }'

      --origin          show file and line, and values that do not apply: overridden, or in need of trust
      --all             show defaults too; with check, each file, and each problem wherever it repeats
      --scope SCOPE     file to change: local (this workspace, for you), project (for everyone) or user
                        (default: local)
${recordOptionsHelp({ yes: true, trust: true })}
VALUE is JSON; anything else is treated as text. docs/settings.md lists the settings.
Exit codes: 0 ok, 1 nothing was changed, a value is not set, or check found an error, 2 usage.
`;

const options = {
  ...kitOptions,
  origin: { type: "boolean" },
  all: { type: "boolean" },
  scope: { type: "string" },
} as const;

type Values = ReturnType<typeof parseWords<typeof options>>["values"];

interface Asked {
  readonly kit: Kit;
  readonly values: Values & KitValues;
  /** Arguments after the verb. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
}

const verbs = { show, get, set, unset, check } as const;

/** `haft config`: shows, changes and checks settings. */
export async function config(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: given } = parseWords(words, options);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [name = "show", ...rest] = given;
  if (!isVerb(name)) {
    throw new UsageError(
      `config has no ${JSON.stringify(name)}.${didYouMean(name, Object.keys(verbs))}`,
      "It can show, get, set, unset and check.",
    );
  }
  const kit = await openQuietly(values, terminal);
  try {
    return await verbs[name]({ kit, values, words: rest, terminal });
  } finally {
    await kit.dispose();
  }
}

function isVerb(name: string): name is keyof typeof verbs {
  return Object.hasOwn(verbs, name);
}

async function show({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  const [key, ...more] = words;
  refuseMore(more, 0, "haft config show takes one key.");
  // A key that no source sets is shown with its default.
  const defaults = values.all === true || key !== undefined;
  const all = await kit.settings.list({ ...(key === undefined ? {} : { key }), defaults });
  const entries = values.origin === true ? all : all.filter(({ state }) => state === "in effect");
  if (values.json === true) {
    terminal.out(`${JSON.stringify(entries, null, 2)}\n`);
    return exitCodes.ok;
  }
  if (entries.length === 0) {
    terminal.err("No setting is set; haft config show --all shows the defaults.\n");
  }
  const width = Math.min(48, Math.max(0, ...entries.map((entry) => entry.key.length)));
  for (const entry of entries) {
    const shown = `${entry.key.padEnd(width)}  ${JSON.stringify(entry.value)}`;
    const line = values.origin === true ? `${shown}  ${originOf(entry)}` : shown;
    terminal.out(`${visibleText(line)}\n`);
  }
  return exitCodes.ok;
}

function originOf({ scope, file, line, state }: SettingEntry): string {
  const place = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`;
  return state === "in effect" ? place : `${place} (${state})`;
}

async function get({ kit, words, terminal }: Asked): Promise<ExitCode> {
  const [key, ...more] = words;
  if (key === undefined)
    throw new UsageError("Get which setting?", "As in haft config get maxChars.");
  refuseMore(more, 0, "haft config get takes one key.");
  const all = await kit.settings.list({ key, defaults: true });
  const entries = all.filter(({ state }) => state === "in effect");
  const one = entries.find((entry) => entry.key === key);
  if (one === undefined && entries.length === 0) {
    terminal.err(`haft: ${key} is not set and has no default.\n`);
    return exitCodes.failed;
  }
  const value = one === undefined ? gathered(entries, key) : one.value;
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
  return exitCodes.ok;
}

/** The values below a key: a list of its entries, or an object by what follows the key. */
function gathered(entries: readonly SettingEntry[], key: string): unknown {
  const rests = entries.map((entry) => entry.key.slice(key.length));
  if (rests.every((rest) => /^\[\d+\]$/u.test(rest))) return entries.map(({ value }) => value);
  return Object.fromEntries(
    entries.map(({ value }, index) => [(rests[index] ?? "").replace(/^\./u, ""), value]),
  );
}

async function set(asked: Asked): Promise<ExitCode> {
  const [key, text, ...more] = asked.words;
  if (key === undefined || text === undefined || more.length > 0) {
    throw new UsageError("Give a key and a value.", "As in haft config set maxChars 20000.");
  }
  return await change(asked, key, jsonOrText(text));
}

async function unset(asked: Asked): Promise<ExitCode> {
  const [key, ...more] = asked.words;
  if (key === undefined) throw new UsageError("Unset which setting?");
  refuseMore(more, 0, "haft config unset takes one key.");
  return await change(asked, key, undefined);
}

async function change(asked: Asked, key: string, value: unknown): Promise<ExitCode> {
  const { kit, values, terminal } = asked;
  const scope = scopeOf(values.scope ?? "local");
  const what = value === undefined ? `Remove ${key}` : `${key} = ${JSON.stringify(value)}`;
  // A user who types the whole setting without a terminal to be asked in has confirmed it.
  if (values.yes !== true && terminal.canAsk) {
    terminal.err(`${visibleText(what)} in the ${scope} settings\n`);
    if (!(await confirmed("Save it?", terminal))) {
      terminal.err("Nothing was saved.\n");
      return exitCodes.failed;
    }
  }
  const saved = await kit.settings.set({ key, value, scope });
  if (values.json === true) terminal.out(`${JSON.stringify(saved, null, 2)}\n`);
  else {
    const { file, line, changed } = saved;
    const place = line === undefined ? file : `${file}:${line}`;
    const isRemoved = value === undefined;
    const done = isRemoved ? `Removed: ${key}` : `Saved: ${what}`;
    const unchanged = isRemoved ? `Not set: ${key}` : `Unchanged: ${what}`;
    terminal.out(`${visibleText(changed ? done : unchanged)} (${place})\n`);
    if (!isRemoved) await printState(saved, asked);
  }
  return saved.changed ? exitCodes.ok : exitCodes.failed;
}

/** Says why a value that was saved does not count, as the next session sees it. */
async function printState({ key, file }: SavedSetting, { values, terminal }: Asked): Promise<void> {
  const kit = await openQuietly(values, terminal);
  try {
    const entries = await kit.settings.list({ key });
    const states = new Set(entries.filter((each) => each.file === file).map(({ state }) => state));
    if (states.has("needs trust")) {
      terminal.err("It does not apply until you trust this workspace with haft trust add.\n");
    }
    if (states.has("overridden")) {
      const shown = visibleText(`haft config show --origin ${key}`);
      terminal.err(`Another file overrides it: ${shown} shows which.\n`);
    }
  } finally {
    await kit.dispose();
  }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function scopeOf(name: string): "local" | "project" | "user" {
  const scopes = ["local", "project", "user"] as const;
  const found = scopes.find((scope) => scope === name);
  if (found !== undefined) return found;
  throw new UsageError(
    `There is no scope ${JSON.stringify(name)}.${didYouMean(name, scopes)}`,
    `--scope is one of ${scopes.join(", ")}.`,
  );
}

async function check({ kit, values, words, terminal }: Asked): Promise<ExitCode> {
  refuseMore(words, 0, "haft config check takes no argument; name the directory with -C.");
  const files = await kit.settings.check();
  const isBroken = files.some(({ problems }) =>
    problems.some(({ severity }) => severity === "error"),
  );
  if (values.json === true) terminal.out(`${JSON.stringify(files, null, 2)}\n`);
  else {
    const lines = checkReport(files, { isWhole: values.all === true, terminal });
    terminal.out(`${lines.join("\n")}\n`);
  }
  return isBroken ? exitCodes.failed : exitCodes.ok;
}
