import type { Site } from "../walk/invocation-context.ts";
import { leadingText } from "../words/words.ts";
import { entriesByName, isMeant } from "./starts.ts";

/**
 * Commands that change settings of the user, which later runs obey in every directory, and options that make a program
 * work for the user instead of the workspace: words in their order, separated by a comma from the next command. An
 * option counts at any position.
 */
const lasting: Readonly<Record<string, string>> = {
  npm: "config set, config delete, config rm, config edit, config fix, c set, c delete, c rm, c edit, set, link, ln, login, adduser, logout, token create, token revoke, -g, --global, --location=global, --location=user, --location global, --location user, -L",
  pnpm: "config set, config delete, c set, c delete, set, link, ln, login, setup, self-update, env, -g, --global, --location=global, --location global",
  "yarn yarnpkg": "config set, config delete, config unset, global, link, login, -H, --home",
  bun: "link, upgrade, -g, --global",
  deno: "upgrade, -g, --global",
  corepack: "enable, disable",
  "volta asdf mise rtx pyenv rbenv nodenv goenv jenv fnm nvm":
    "global, default, alias, plugin, settings, -g, --global",
  go: "env -w, env -u, telemetry",
  "pip pip3": "config set, config unset, config edit, --user, --break-system-packages",
  "python python3": "-m pip config, --break-system-packages",
  pipx: "ensurepath",
  uv: "tool update-shell, self, --global",
  poetry: "config, self",
  "conda mamba": "config, init",
  cargo: "login, logout",
  rustup: "default, override, set, self",
  gem: "sources",
  "bundle bundler": "config --global, config set --global, --global",
  composer: "global, -g, --global",
  dotnet: "-g, --global, nuget add, nuget update, nuget enable, workload",
  "gh glab":
    "config set, alias set, alias import, alias delete, auth login, auth setup-git, auth refresh, auth logout, extension install, extension upgrade",
  "docker podman":
    "context use, context create, context update, context import, plugin install, plugin set, plugin enable, login, trust",
  kubectl:
    "config set, config use-context, config set-context, config set-cluster, config set-credentials, krew",
  helm: "plugin install, plugin update, repo add, repo update, registry login",
  "aws gcloud az": "configure, config set, init, login",
  jj: "--user",
  hg: "config --edit, config -e",
  "terraform tofu": "login",
  "code cursor codium": "--install-extension",
};

const commandsByName: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  entriesByName(lasting).map(([name, commands]) => [
    name,
    commands.split(", ").map((words) => words.split(" ")),
  ]),
);

/** Words with which such a command changes only the settings of the project. */
const ofProject: ReadonlyMap<string, RegExp> = new Map(
  entriesByName({
    "npm pnpm": /(?<=^| )--location[= ]project(?= |$)/u,
    "poetry bundle bundler asdf": /(?<=^| )--local(?= |$)/u,
  }),
);

/** Reports a change of settings that outlive the call and the workspace; a rule allows it if it names the last word. */
export function noteUserSettings(site: Site): void {
  const commands = commandsByName.get(site.name);
  if (commands === undefined) return;
  const args = site.args.map(leadingText);
  const isOwn = ofProject.get(site.name)?.test(args.join(" ")) === true;
  const hasOptions = args.some((word) => word.startsWith("-"));
  for (const words of commands) {
    const [first = ""] = words;
    if (first.startsWith("-") ? !hasOptions : !args.includes(first)) continue;
    const last = words.at(-1) ?? "";
    if ((isOwn && !last.startsWith("-")) || !isGiven(words, args)) continue;
    site.unknown(
      `${site.name} ${words.join(" ")} changes what later runs in any directory obey`,
      last,
    );
    return;
  }
}

/** Whether the words occur in this order, the first where a subcommand may be. */
function isGiven([first = "", ...others]: readonly string[], args: readonly string[]): boolean {
  let at = first.startsWith("-") ? optionAt(first, args, 0) : subcommandAt(first, args);
  for (const word of others) {
    if (at === -1) return false;
    at = word.startsWith("-") ? optionAt(word, args, at + 1) : args.indexOf(word, at + 1);
  }
  return at !== -1;
}

/** An operand may be a subcommand unless more operands than options precede it, as each may be an option's value. */
function subcommandAt(word: string, args: readonly string[]): number {
  let operands = 0;
  let options = 0;
  for (const [index, each] of args.entries()) {
    if (each === "--") return -1;
    if (each.startsWith("-")) options += 1;
    else if (each === word) return index;
    else if (++operands > options) return -1;
  }
  return -1;
}

function optionAt(option: string, args: readonly string[], from: number): number {
  const end = args.indexOf("--");
  return args.findIndex(
    (word, index) => index >= from && (end === -1 || index < end) && isOption(word, option),
  );
}

function isOption(word: string, option: string): boolean {
  if (!word.startsWith("-")) return false;
  if (option.includes("=")) return word === option;
  if (isMeant(word.replace(/=.*$/su, ""), option)) return true;
  const [, letter = ""] = /^-([A-Za-z])$/u.exec(option) ?? [];
  return letter !== "" && /^-[A-Za-z]+$/u.test(word) && word.includes(letter);
}
