import type { ParseArgsOptionsConfig } from "node:util";
import type { Mode, ToolkitOptions } from "../index.ts";
import { didYouMean } from "./input/nearest.ts";
import type { ParsedWords } from "./input/parse-arguments.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const modeNames = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;

const confineNames = ["enforced", "best-effort", "off"] as const;
const overlayNames = ["undo", "preview", "off"] as const;

/** Options of every verb that opens a toolkit. */
export const kitOptions = {
  mode: { type: "string", short: "m" },
  workspace: { type: "string", short: "C" },
  "add-dir": { type: "string", multiple: true },
  allow: { type: "string", multiple: true },
  ask: { type: "string", multiple: true },
  deny: { type: "string", multiple: true },
  trust: { type: "boolean" },
  "no-settings": { type: "boolean" },
  "data-dir": { type: "string" },
  confine: { type: "string" },
  overlay: { type: "string" },
  yes: { type: "boolean", short: "y" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsOptionsConfig;

const workspaceHelp = `  -C, --workspace DIR   directory to work in (default: defaultWorkingDirectory of the settings, then the current one)
`;
const yesHelp = `  -y, --yes             answer every question with yes; what a rule denies stays denied
`;
const trustHelp = `      --trust           for this run, treat the workspace as trusted (haft trust --help)
`;
const storageHelp = `      --no-settings     read no settings files
      --data-dir DIR    directory of the journal, logs and artifacts
`;
const helpHelp = `  -h, --help            this text
`;

/** Help of the common options. `json` says what --json prints, where that is not one document. */
export function kitOptionsHelpWith(json: string): string {
  return `${workspaceHelp}  -m, --mode MODE       what runs without a question: default (reading), acceptEdits (also editing files in the
                        workspace), plan (reading; the rest is refused), dontAsk (refuse instead of asking), or
                        bypassPermissions (everything); rules and more: docs/permissions.md
      --add-dir DIR     another directory that counts as inside the workspace; may be repeated
      --allow RULE      allow what the rule names: a tool, or a tool with a pattern, as in --allow 'Bash(npm test)';
                        may be repeated
      --ask RULE        ask about what it names, even if another rule allows it
      --deny RULE       deny what it names, even if the user says yes
${yesHelp}${trustHelp}${storageHelp}      --confine HOW     confine programs: enforced, best-effort (the default), or off
      --overlay WHAT    changes of programs: undo (can be undone, the default), preview (also shown to you first), or
                        off
      --json            ${json}
${helpHelp}`;
}

export const kitOptionsHelp: string = kitOptionsHelpWith("print one JSON document");

/** Help of verbs that run no calls: the options that have an effect there. */
export function recordOptionsHelp(
  also: { readonly yes?: true; readonly trust?: true } = {},
): string {
  const asking = `${also.yes === true ? yesHelp : ""}${also.trust === true ? trustHelp : ""}`;
  return `${workspaceHelp}${asking}${storageHelp}      --json            print one JSON document
${helpHelp}`;
}

export type KitValues = ParsedWords<typeof kitOptions>["values"];

/** Converts the command line to the options of the toolkit. */
export function toolkitOptions(values: KitValues, terminal: Terminal): ToolkitOptions {
  const rules = {
    ...(values.allow === undefined ? {} : { allow: values.allow }),
    ...(values.ask === undefined ? {} : { ask: values.ask }),
    ...(values.deny === undefined ? {} : { deny: values.deny }),
  };
  refuseEmpty(values);
  const onAsk =
    values.yes === true ? alwaysOnce : terminal.canAsk ? askInTerminal(terminal) : undefined;
  return {
    eventLog: "file",
    sessions: "file",
    settings: values["no-settings"] === true ? "none" : "load",
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    ...(values.workspace === undefined ? {} : { workspace: values.workspace }),
    ...(values.mode === undefined ? {} : { mode: modeOf(values.mode) }),
    ...(values["add-dir"] === undefined ? {} : { additionalDirectories: values["add-dir"] }),
    ...(values["data-dir"] === undefined ? {} : { dataDirectory: values["data-dir"] }),
    ...sandboxOf(values),
    ...(values.trust === true ? { trust: true } : {}),
    ...(onAsk === undefined ? {} : { onAsk }),
    // Without a person at the terminal there is nobody to notify.
    ...(terminal.canAsk ? { notify: notifying(terminal) } : {}),
  };
}

/** Rejects an empty path: it would mean the current directory where an unset variable was meant. */
function refuseEmpty({ workspace, "add-dir": added = [], "data-dir": data }: KitValues): void {
  const given = { workspace: [workspace], "add-dir": added, "data-dir": [data] };
  for (const [name, paths] of Object.entries(given)) {
    if (!paths.includes("")) continue;
    throw new UsageError(`--${name} is empty.`, "Name a directory, or leave the option out.");
  }
}

function sandboxOf({ confine, overlay }: KitValues): Pick<ToolkitOptions, "sandbox"> {
  const sandbox = {
    ...(confine === undefined ? {} : { require: oneOf("--confine", confine, confineNames) }),
    ...(overlay === undefined ? {} : { overlay: oneOf("--overlay", overlay, overlayNames) }),
  };
  return Object.keys(sandbox).length === 0 ? {} : { sandbox };
}

function oneOf<T extends string>(option: string, given: string, names: readonly T[]): T {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  throw new UsageError(
    `${option} must be one of ${names.join(", ")}, not ${JSON.stringify(given)}.${didYouMean(given, names)}`,
  );
}

type OnAsk = NonNullable<ToolkitOptions["onAsk"]>;

const alwaysOnce: OnAsk = Object.assign(async () => ({ kind: "once" as const }), {
  looksAtPreview: false,
  isAutomatic: true,
});

/** Notifies in the terminal and on the desktop. */
function notifying(terminal: Terminal): NonNullable<ToolkitOptions["notify"]> {
  return {
    desktop: true,
    show: async (notification) => {
      const { notifyTerminal } = await import("./prompt/notification.ts");
      notifyTerminal(terminal, notification);
    },
  };
}

/** Asks in the terminal; loads the prompt with the first question, because most calls need none. */
function askInTerminal(terminal: Terminal): OnAsk {
  return async (ask, options) => {
    const { prompter } = await import("./prompt/prompt.ts");
    return await prompter(terminal)(ask, options);
  };
}

function modeOf(name: string): Mode {
  const mode = modeNames.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (mode !== undefined) return mode;
  throw new UsageError(
    `There is no mode ${JSON.stringify(name)}.${didYouMean(name, modeNames)}`,
    `Modes: ${modeNames.join(", ")}.`,
  );
}
