import { alternatives, maySeveral, type Argument } from "../src/shell/words/words.ts";

/** Draws a whole number below its argument. */
export type Random = (below: number) => number;

const names = ["x", "y", "z"];
const texts = ["a", "b-", "1", "'c d'", '"e"', "f\\ g", "''", "$'h\\ti'", "j=k", "--l"];
const tests = ["true", "false", ":", "[ a = a ]", "[[ $x = a ]]", "((1))", "((0))"];

/**
 * A script that sets variables in every way and hands them to stubs. It only uses what the shell does by itself: no
 * file is opened or written, no folder changes and no loop is without end.
 */
export function variableScript(random: Random, depth = 2): string {
  const pick = (from: readonly string[]): string => from[random(from.length)] ?? "";
  const name = (): string => pick(names);
  const inner = (): string => variableScript(random, depth - 1);
  const word = (): string => {
    const variable = name();
    switch (random(13)) {
      case 0:
      case 1:
        return `$${variable}`;
      case 2:
      case 3:
        return `"$${variable}"`;
      case 4:
        return `${pick(texts)}"\${${variable}}"${pick(texts)}`;
      case 5:
        return `\${${variable}:-${pick(["a", "m n", '"o p"', "$y"])}}`;
      case 6:
        return `"\${${variable}${pick(["%b", "#a", "/a/b", "^^", ":0:1", "+q", "@Q"])}}"`;
      case 7:
        return `"$(${pick(["echo", "printf %s", "echo -n"])} ${pick(texts)} "$${variable}")"`;
      case 8:
        return `$(( ${pick(["1", "x", "y+1", "z=2", "x++"])} ))`;
      case 9:
        return `"\${#${variable}}"`;
      case 10:
        return `$${pick(["1", "#", "@", "*", "?"])}`;
      default:
        return pick(texts);
    }
  };
  const set = (): string => {
    const variable = name();
    switch (random(16)) {
      case 0:
        return `${variable}+=${word()}`;
      case 1:
        return `${pick(["export", "declare", "readonly", "typeset"])} ${variable}=${pick(texts)}`;
      case 2:
        return `unset ${variable}`;
      case 3:
        return `read ${variable} <<< ${word()}`;
      case 4:
        return `printf -v ${variable} %s ${word()}`;
      case 5:
        return `: "\${${variable}:=${pick(["a", "r s"])}}"`;
      case 6:
        return `((${variable}=${random(9)}))`;
      case 7:
        return `set -- ${word()} ${word()}`;
      case 8:
        return `${variable}=${word()} ${pick(["true", "show t", ":"])}`;
      case 9:
        return `eval '${variable}=${pick(["a", "b", "$y"])}'`;
      case 10:
        return `declare -i ${variable}=${random(9)}`;
      case 11:
        return `local ${variable}=${pick(texts)}`;
      case 12:
        return pick(["IFS=a", "IFS=", "unset IFS", "set -f", "shift"]);
      default:
        return `${variable}=${word()}`;
    }
  };
  const part = (): string => {
    switch (random(depth > 0 ? 20 : 8)) {
      case 0:
      case 1:
      case 2:
        return `${pick(["show", "alpha", "beta"])} ${word()} ${word()}`;
      case 3:
        return `show ${word()}`;
      case 8:
        return `if ${pick(tests)}; then ${inner()}; ${random(2) === 0 ? `else ${inner()}; ` : ""}fi`;
      case 9:
        return `for ${name()} in ${word()} ${word()}; do ${inner()}; done`;
      case 10:
        return `(${inner()})`;
      case 11:
        return `{ ${inner()}; }`;
      case 12:
        return `{ ${inner()}; } | true`;
      case 13:
        return `${pick(tests)} ${pick(["&&", "||"])} { ${inner()}; }`;
      case 14:
        return `case ${word()} in ${pick(["a", "*", "b-|1"])}) ${inner()} ${pick([";;", ";&", ";;&"])} *) ${inner()};; esac`;
      case 15:
        return `f() { ${inner()}; }; ${pick(["f", `f ${pick(texts)}`, "true", "(f)"])}`;
      case 16:
        return `while [ "$${name()}" = ${pick(["a", "1"])} ]; do ${inner()}; break; done`;
      case 17:
        return `${set()} ${pick(["&&", "||"])} ${set()}`;
      case 18:
        return `echo ${word()} | while read -r ${name()}; do ${inner()}; done`;
      case 19:
        return `${set()} & wait`;
      default:
        return set();
    }
  };
  return Array.from({ length: 1 + random(depth + 2) }, part).join("; ");
}

/** Whether the words that were claimed for a command can be the ones it ran with. */
export function mayBe(claimed: readonly Argument[], ran: readonly string[]): boolean {
  for (const [index, word] of claimed.entries()) {
    if (maySeveral(word)) return true;
    const found = ran[index];
    if (found === undefined || !mayBeWord(word, found)) return false;
  }
  return claimed.length === ran.length;
}

function mayBeWord(word: Argument, found: string): boolean {
  return (alternatives(word) ?? [word]).some((each) => {
    if (typeof each === "string") return each === found;
    const pattern = each.pieces.map((piece) => {
      if (typeof piece === "string")
        return piece.replaceAll(/[$()*+.?[\\\]^{|}/]/gu, String.raw`\$&`);
      return piece.kind === "number" ? String.raw`-?\d*` : "[^]*";
    });
    return new RegExp(`^${pattern.join("")}$`, "u").test(found);
  });
}
