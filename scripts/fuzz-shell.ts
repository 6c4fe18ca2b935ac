/**
 * Puts the shell layer against a real bash for a bounded time: `node scripts/fuzz-shell.ts [seconds] [seed]`.
 *
 * Random words made of every kind of quoting are handed to a stub, and what we call static must be what
 * bash passed; random arrangements of syntax are only parsed by bash, never run, and whatever bash
 * refuses must not be allowed by us. Random scripts that set variables are run on stubs, and every call
 * of one must be a command that we listed.
 */
import { explainCommand } from "../src/explain/index.ts";
import { analyseCommand } from "../src/shell/index.ts";
import { bashReferee, stubNames } from "./bash-referee.ts";
import { mayBe, variableScript } from "./variable-scripts.ts";

const seconds = Number(process.argv[2] ?? 20);
let state = Number(process.argv[3] ?? 1) || 1;
const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

/** A small generator of numbers, so that a seed repeats a run. */
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
function pick(from: readonly string[]): string {
  return from[random(from.length)] ?? "";
}

const wordPieces = [
  "a",
  "b-",
  "=",
  "1",
  "'x y'",
  "'\\'",
  '"q r"',
  '"\\$x"',
  '"\\a"',
  '""',
  "''",
  "\\ ",
  "\\$",
  "\\\\",
  "$'\\t'",
  "$'\\x41'",
  "$'\\u00e9'",
  "$'\\101'",
  "\\\n",
  '"\\\n"',
  "#",
  ",",
  ":",
  "/",
  "%",
  "+",
  "@",
  "^",
  "]",
  "}",
  "!",
  "\\'",
  '\\"',
  "'#'",
];
const syntax = [
  "ls",
  "show",
  "x",
  " ",
  " ",
  "$(",
  ")",
  "`",
  '"',
  "'",
  "\\",
  "{ ",
  "; }",
  ";",
  "|",
  "&&",
  "||",
  "&",
  "\n",
  "(",
  "if ",
  "; then ",
  "; fi",
  "for i in a; do ",
  "; done",
  "case x in a) ",
  " ;; esac",
  "$x",
  "${x}",
  "${x:-",
  "}",
  "$((1",
  "))",
  "<<E\n",
  "\nE\n",
  "[[ ",
  " ]]",
  "#",
];

const referee = bashReferee();
const end = performance.now() + seconds * 1000;
let compared = 0;
let parsed = 0;
let followed = 0;
const stubs = new Set<string>(stubNames);
const wrong: string[] = [];
while (performance.now() < end && wrong.length < 20) {
  const words = Array.from({ length: 1 + random(3) }, () =>
    Array.from({ length: 1 + random(5) }, () => pick(wordPieces)).join(""),
  );
  const command = `show ${words.join(" ")}`;
  const { commands } = explainCommand(command, place);
  const ours = commands[0]?.argv ?? [];
  if (commands.length === 1 && ours.every((word) => typeof word === "string")) {
    compared++;
    const [ran] = referee.run(command);
    if (JSON.stringify(ran) !== JSON.stringify(ours))
      wrong.push(`argv ${JSON.stringify({ command, bash: ran, ours })}`);
  }
  const text = Array.from({ length: 1 + random(12) }, () => pick(syntax)).join("");
  const { verdict } = explainCommand(text, place);
  parsed++;
  if (verdict === "allow" && !referee.parses(text))
    wrong.push(`allowed though bash refuses it: ${JSON.stringify(text)}`);
  const script = `${variableScript(random)}; show "$x" "$y" "$z"`;
  const { effects, invocations } = analyseCommand(script, place);
  // A command that is not understood is asked about, whatever else is said; the unknown effects of a stub do not
  // count.
  if (effects.some((effect) => effect.kind === "unknown" && !stubs.has(effect.origin))) continue;
  followed++;
  for (const ran of referee.run(script)) {
    if (invocations.some((invocation) => mayBe(invocation.argv, ran))) continue;
    wrong.push(`ran and was not listed: ${JSON.stringify({ script, ran })}`);
    break;
  }
}
referee.dispose();
for (const line of wrong) process.stdout.write(`${line}\n`);
process.stdout.write(
  `${compared} argv compared, ${parsed} texts parsed, ${followed} scripts followed, ${wrong.length} differences (seed ${process.argv[3] ?? 1})\n`,
);
process.exitCode = wrong.length === 0 ? 0 : 1;
