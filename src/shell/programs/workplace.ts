import type { Site } from "../walk/invocation-context.ts";
import {
  alternatives,
  dropLeading,
  leadingText,
  namedPaths,
  type Argument,
  type Standing,
} from "../words/words.ts";

/**
 * Options that set where programs with open consequences work: a directory, or a file that directs them. The directory
 * or file they name replaces the one for which a rule on the program was written.
 */
const options: Readonly<Record<string, string>> = {
  "make gmake bmake": "-C --directory -f --file --makefile -I --include-dir MAKEFILES= VPATH=",
  "just task": "-d --working-directory --dir -f --justfile -t --taskfile",
  "npm npx": "-C --prefix --userconfig --globalconfig --script-shell --init-module",
  "pnpm pnpx": "-C --dir --prefix --config-dir --script-shell --global-dir",
  "yarn yarnpkg": "--cwd --use-yarnrc --modules-folder",
  "bun bunx deno": "--cwd -c --config --preload -r --import-map --env-file",
  "node nodejs ts-node tsx": "--env-file --env-file-if-exists --project",
  cargo: "-C --manifest-path --path --config",
  go: "-C -modfile -overlay",
  "mvn mvnw": "-f --file -s --settings -gs -t --toolchains",
  "gradle gradlew": "-p --project-dir -b --build-file -I --init-script -c --settings-file",
  cmake: "-S -B -C -P -H --build --install --open --toolchain",
  "ninja samu": "-C -f",
  "meson waf scons": "-C -f --directory --sconstruct",
  "pytest py.test": "-c --config-file --rootdir --confcutdir",
  "tox nox": "-c --conf -f --noxfile --workdir --root",
  "poetry uv pdm hatch pipenv rye": "-C -p --directory --project --config-file --env-file",
  "rake bundle bundler composer rspec": "-f --rakefile -C --directory --gemfile -d --working-dir",
  "terraform tofu": "-chdir",
  "tsc vue-tsc": "-p --project -b --build",
  "eslint prettier stylelint oxlint biome":
    "-c --config --config-path --rulesdir --resolve-plugins-relative-to --plugin --parser",
  "vitest jest mocha playwright cypress ava":
    "-r --root --rootDir -c --config --dir --require --import --project",
  "vite webpack rollup esbuild turbo nx lerna next astro": "-c --config --cwd",
  "swift mix stack cabal dune": "--package-path --project-dir --stack-yaml --root --chdir",
  "mypy ruff black pylint flake8 isort": "--config-file --config --rcfile --settings-path",
};

/** Options that make such a program start another one, or run code that is not in a file. */
const starting: Readonly<Record<string, string>> = {
  "make gmake bmake": "--eval -E SHELL=",
  "npm npx pnpm yarn": "--node-options --script-shell --shell --git --editor --browser",
  cargo: "--config",
  go: "-exec -toolexec -vettool",
  rsync: "-e --rsh --rsync-path",
  "scp sftp": "-S -o -F -D -J",
  "docker podman": "-H --host --config",
  kubectl: "--kubeconfig",
  helm: "--post-renderer --kubeconfig",
  svn: "--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd --merge-cmd",
  hg: "--config",
};

/** Subset of `options` that change the program's directory, so that paths in the other options are relative to it. */
const moving = /^(?:-C|-d|--cwd|--dir(?:ectory)?|--prefix|--working-dir(?:ectory)?|-?-chdir)$/u;

const byProgram = wordsByProgram(options);
const startsByProgram = wordsByProgram(starting);

function wordsByProgram(
  table: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(table).flatMap(([names, written]) =>
      names.split(" ").map((name) => [name, written.split(" ")] as const),
    ),
  );
}

/** Reports options that make a program start another one, which a rule on the program alone does not allow. */
export function noteStarts(site: Site): void {
  const known = startsByProgram.get(site.name);
  if (known === undefined) return;
  for (const [index, word] of site.args.entries()) {
    if (word === "--") return;
    const start = leadingText(word);
    const found = readOption(word, site.args[index + 1], known);
    // `ssh` is the remote shell that rsync uses by default.
    if (found === undefined || found.value === "ssh") continue;
    const written = start.startsWith("--") ? start.replace(/=.*$/su, "") : found.option;
    site.unknown(`${site.name} ${written} may start another program`, written);
  }
}

/** Reports the paths where the options of a program make it work. Words after `--` belong to another program. */
export function noteWorkplace(site: Site): void {
  const known = byProgram.get(site.name);
  if (known === undefined) return;
  const end = site.args.indexOf("--");
  const words = end === -1 ? site.args : site.args.slice(0, end);
  let { folders } = site.standing;
  for (const [index, word] of words.entries()) {
    const found = readOption(word, words[index + 1], known);
    if (found === undefined) continue;
    const places = placesOf(found.value, { ...site.standing, folders });
    site.worksIn(places);
    // Programs differ in whether later paths are relative to this directory, so both are considered.
    if (moving.test(found.option)) {
      folders = folders === undefined || places === undefined ? undefined : [...folders, ...places];
    }
  }
}

interface Found {
  readonly option: string;
  readonly value: Argument;
}

/** Option that names where to work, with its value in the same word or the next. */
function readOption(
  word: Argument,
  next: Argument | undefined,
  known: readonly string[],
): Found | undefined {
  const start = leadingText(word);
  const variable = known.find((each) => each.endsWith("=") && start.startsWith(each));
  if (variable !== undefined)
    return { option: variable, value: dropLeading(word, variable.length) };
  if (!start.startsWith("-")) return undefined;
  const equals = start.indexOf("=");
  const name = equals === -1 ? start : start.slice(0, equals);
  const option = known.find((each) => isMeant(name, each));
  if (option !== undefined) {
    const value = equals === -1 ? next : dropLeading(word, equals + 1);
    return value === undefined ? undefined : { option, value };
  }
  // The last letter of a cluster takes the value.
  const letters = /^-[A-Za-z]+/u.exec(start)?.[0] ?? "";
  const at = Array.from(letters).findIndex((letter) => known.includes(`-${letter}`));
  if (at === -1) return undefined;
  const value =
    at + 1 < start.length || typeof word !== "string" ? dropLeading(word, at + 1) : next;
  return value === undefined ? undefined : { option: `-${letters.charAt(at)}`, value };
}

/** A long option may be cut to its beginning, and some programs do not count the dashes before one. */
function isMeant(name: string, option: string): boolean {
  if (name === option || (/^--\w/u.test(name) && option.startsWith(name))) return true;
  const letters = withoutDashes(option);
  if (letters !== withoutDashes(name)) return false;
  return letters.length > 1 || name.startsWith("--");
}

function withoutDashes(option: string): string {
  return option.replace(/^-+/u, "");
}

function placesOf(word: Argument, standing: Standing): readonly string[] | undefined {
  const places: string[] = [];
  for (const each of alternatives(word) ?? [word]) {
    // The shell leaves it as it is behind `=` and in quotes, and then npm takes it for the home folder.
    if (leadingText(each).startsWith("~")) return undefined;
    const named = namedPaths(each, standing);
    if (!named.known || named.scope === "tree") return undefined;
    places.push(...named.paths);
  }
  return places;
}
