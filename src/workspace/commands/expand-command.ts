import type { SlashCommand } from "./read-command.ts";

/** Reads what a command inserts; both go through the rules like every other call. */
export interface CommandInsertions {
  /** Output of a program. */
  readonly shell: (command: string) => Promise<string>;
  /** Text of a file. */
  readonly file: (path: string) => Promise<string>;
}

/**
 * Returns the prompt of a command with its arguments and insertions. The places of insertions are found before the
 * arguments are put in, so that an argument cannot add one.
 */
export async function expandCommand(
  command: SlashCommand,
  text: string,
  insertions: CommandInsertions,
): Promise<string> {
  const given = argumentsOf(text);
  const pieces: string[] = [];
  let usesArguments = false;
  const put = (piece: string, isShell: boolean): string => {
    const replaced = withArguments(piece, command, { text, given, isShell });
    usesArguments ||= replaced.isUsed;
    return replaced.text;
  };
  for (const piece of piecesOf(command)) {
    switch (piece.kind) {
      case "text":
        pieces.push(put(piece.text, false));
        break;
      case "shell":
        pieces.push(await insertions.shell(put(piece.text, command.syntax === "toml")));
        break;
      case "file": {
        const path = put(piece.text, false);
        pieces.push(`${path}:\n${await insertions.file(path)}`);
        break;
      }
    }
  }
  const prompt = pieces.join("");
  // Arguments that the command has no place for are not lost.
  return usesArguments || text.trim() === "" ? prompt : `${prompt.trimEnd()}\n\n${text.trim()}\n`;
}

type Piece = { readonly kind: "text" | "shell" | "file"; readonly text: string };

/** Insertions of Markdown: a program in `!` and backticks or in a block that opens with ```!, and a file after `@`. */
const markdownPieces =
  /^```!\n(?<block>[\s\S]*?)\n```$|(?<=^|\s)!`(?<shell>[^`\n]+)`|(?<=^|\s)@(?<file>(?:\$\w+|[\w.~/-])*(?:\$\w+|[\w~/-]))/gmu;
const tomlPieces = /!\{(?<shell>[^{}]*(?:\{\{args\}\}[^{}]*)*)\}|@\{(?<file>[^{}]+)\}/gu;

function piecesOf({ body, syntax }: SlashCommand): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of body.matchAll(syntax === "toml" ? tomlPieces : markdownPieces)) {
    const { block, shell, file } = match.groups ?? {};
    // A mention such as @alice stays as it is.
    if (file !== undefined && syntax === "markdown" && !/[./$]/u.test(file)) continue;
    pieces.push({ kind: "text", text: body.slice(end, match.index) });
    const program = block ?? shell;
    pieces.push(
      program === undefined ? { kind: "file", text: file ?? "" } : { kind: "shell", text: program },
    );
    end = match.index + match[0].length;
  }
  return [...pieces, { kind: "text", text: body.slice(end) }];
}

interface Given {
  readonly text: string;
  readonly given: readonly string[];
  /** Whether each argument becomes one word of a shell. */
  readonly isShell: boolean;
}

function withArguments(
  text: string,
  command: SlashCommand,
  { text: all, given, isShell }: Given,
): { readonly text: string; readonly isUsed: boolean } {
  let isUsed = false;
  const use = (value: string): string => {
    isUsed = true;
    return isShell ? quoted(value) : value;
  };
  if (command.syntax === "toml") {
    return { text: text.replaceAll("{{args}}", () => use(all.trim())), isUsed };
  }
  // Positions count from 1, and from 0 in a command that uses $0.
  const first = /\$0(?!\d)/u.test(command.body) ? 0 : 1;
  const replaced = text.replaceAll(
    /\\\$|\$ARGUMENTS(?:\[(\d+)\])?|\$(\d+)|\$([A-Za-z_]\w*)/gu,
    (whole: string, ...parts: readonly (string | undefined)[]) => {
      const [index, position, name] = parts;
      if (whole === "\\$") return "$";
      if (index !== undefined) return use(given[Number(index)] ?? "");
      if (position !== undefined) return use(given[Number(position) - first] ?? "");
      if (name === undefined) return use(all.trim());
      const at = command.arguments.indexOf(name);
      return at === -1 ? whole : use(given[at] ?? "");
    },
  );
  return { text: replaced, isUsed };
}

/** Arguments as a shell would split them; quotes join words. */
function argumentsOf(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/gu)].map(
    ([, double, single, plain]) => double?.replaceAll(/\\(.)/gu, "$1") ?? single ?? plain ?? "",
  );
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
