import { defaultPromptParts, tokensOf } from "../../entries/agent.ts";
import type { Kit } from "../../index.ts";
import { visibleText } from "../print/visible-text.ts";
import type { Terminal } from "../terminal.ts";
import { builtInCommands, slashCommandIn } from "./slash-commands.ts";

export interface PrintedPrompt {
  readonly kit: Kit;
  /** System prompt that replaces haft's own. */
  readonly system: string | undefined;
  /** Task or command; "" for none. */
  readonly task: string;
  readonly terminal: Terminal;
}

/** Prints the parts of the system prompt and the task, each with its origin and an estimate of its tokens. */
export async function printPrompt({ kit, system, task, terminal }: PrintedPrompt): Promise<void> {
  const own = system === undefined ? defaultPromptParts : [{ name: "system", text: system }];
  const found = system === undefined ? await kit.instructions?.read() : undefined;
  const parts = [
    ...own.map((part) => ({ part, origin: system === undefined ? "haft" : "--system" })),
    ...(found?.files ?? []).map(({ part, origin, isTrusted, importedBy }) => ({
      part,
      origin: [
        isTrusted ? origin : `${origin}, not trusted`,
        ...(importedBy === undefined ? [] : [`imported by ${importedBy}`]),
      ].join(", "),
    })),
    ...(await shownTask(task, kit)),
  ];
  for (const { part, origin } of parts) {
    const title = `# ${part.name} (${origin}; ${tokensOf(part.text)} tokens)`;
    terminal.out(
      `${terminal.style("bold", visibleText(title), "out")}\n${visibleText(part.text)}\n\n`,
    );
  }
  const total = parts.reduce((sum, { part }) => sum + tokensOf(part.text), 0);
  terminal.out(`${total} tokens in all, as estimated.\n`);
  for (const { file, line, message, hint } of found?.problems ?? []) {
    const place = line === undefined ? file : `${file}:${line}`;
    terminal.err(`${terminal.style("yellow", "warning")}: ${place}: ${message} ${hint}\n`);
  }
}

/** The task as the model would get it. What a command inserts is left as it is written. */
async function shownTask(
  task: string,
  kit: Kit,
): Promise<
  readonly {
    readonly part: { readonly name: string; readonly text: string };
    readonly origin: string;
  }[]
> {
  if (task === "") return [];
  const slash = slashCommandIn(task);
  if (slash === undefined) return [{ part: { name: "task", text: task }, origin: "command line" }];
  const { name, text } = slash;
  if (builtInCommands.some((each) => each.name === name)) {
    const part = { name: "task", text: `(haft itself runs /${name}; no model gets it.)` };
    return [{ part, origin: "haft" }];
  }
  const { prompt } = await kit.commands.expand(name, { arguments: text, isPreview: true });
  const { commands } = await kit.commands.list();
  const file = commands.find((each) => each.name === name)?.file;
  return [{ part: { name: "task", text: prompt }, origin: file ?? `/${name}` }];
}
