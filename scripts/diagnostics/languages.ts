import { cp, writeFile } from "node:fs/promises";
import path from "node:path";
import { installedModules, type OnDemand } from "../install-on-demand.ts";

/** A language whose files are edited, with its server. */
export interface Language {
  readonly packages: readonly OnDemand[];
  /** Program of the server below `node_modules`. */
  readonly program: string;
  readonly arguments: readonly string[];
  /** End of its files' names, without the dot. */
  readonly ending: string;
  /** Files besides the one that most edits change. */
  readonly files: Readonly<Record<string, string>>;
  readonly comment: string;
  /** First lines of the file: it uses a number of `lib`. */
  readonly use: string;
  /** Line of `lib` with that number, and one with a text instead, which makes an error in the file that uses it. */
  readonly shared: string;
  readonly broken: string;
  /** Line without an error, and line with one; each names the number of the edit. */
  readonly right: (edit: number) => string;
  readonly wrong: (edit: number) => string;
}

export const languages: Readonly<Record<string, Language>> = {
  typescript: {
    packages: [
      { name: "typescript-language-server", version: "6.0.2" },
      { name: "typescript", version: "5.9.3" },
    ],
    program: "typescript-language-server/lib/cli.mjs",
    arguments: ["--stdio"],
    ending: "ts",
    files: {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, types: [] },
      }),
      "lib.ts": "// A number that others use.\nexport const shared: number = 1;\n",
    },
    comment: "//",
    use: 'import { shared } from "./lib";\nexport const used: number = shared;\n',
    shared: "export const shared: number = 1;",
    broken: 'export const shared: string = "one";',
    right: (edit) => `export const value${edit}: number = ${edit};`,
    wrong: (edit) => `export const value${edit}: number = missing${edit};`,
  },
  pyright: {
    packages: [{ name: "pyright", version: "1.1.414" }],
    program: "pyright/langserver.index.js",
    arguments: ["--stdio"],
    ending: "py",
    files: { "lib.py": "# A number that others use.\nshared: int = 1\n" },
    comment: "#",
    use: "from lib import shared\nused: int = shared\n",
    shared: "shared: int = 1",
    broken: 'shared: str = "one"',
    right: (edit) => `value${edit}: int = ${edit}`,
    wrong: (edit) => `value${edit}: int = missing${edit}`,
  },
};

/** The languages of these servers, or all. */
export function chosenLanguages(server: string | undefined): readonly [string, Language][] {
  if (server === undefined) return Object.entries(languages);
  const language = languages[server];
  if (language === undefined) {
    throw new Error(`There is no server ${server}, only ${Object.keys(languages).join(", ")}.`);
  }
  return [[server, language]];
}

/** Writes the files of a language, with its server, and returns the command of the server. */
export async function writeProject(
  language: Language,
  workspace: string,
): Promise<readonly [program: string, ...args: string[]]> {
  // Inside of the workspace, where the sandbox shows it.
  for (const wanted of language.packages) {
    await cp(await installedModules(wanted), path.join(workspace, "node_modules"), {
      recursive: true,
    });
  }
  for (const [file, text] of Object.entries(language.files)) {
    await writeFile(path.join(workspace, file), text);
  }
  const program = path.join(workspace, "node_modules", language.program);
  return [process.execPath, program, ...language.arguments];
}
