import type { Site } from "../../walk/invocation-context.ts";
import {
  leadingText,
  mayBeOption,
  maySeveral,
  showWord,
  type Argument,
} from "../../words/words.ts";

/** Options as spelled in the manual; xxd itself checks only their first letter. */
const flags =
  /^-(?:a|autoskip|b|bits|C|capitalize|d|e|E|EBCDIC|i|include|p|ps|postscript|plain|u|uppercase)$/u;
const valued = /^-(?:c|cols|g|group|l|len|n|name|o|offset|s|skip|seek|R)$/u;
const attached = /^-[cglos][+-]?(?:0x[0-9a-fA-F]+|\d+)$/u;

/** Judges `xxd`: it reads the first operand and writes the second. */
export function judgeXxd(site: Site): void {
  const { args } = site;
  const operands: Argument[] = [];
  site.classify("read");
  if (
    args.length === 1 &&
    /^(?:-h|-help|--help|-v|-version|--version)$/u.test(leadingText(args[0] ?? ""))
  ) {
    return;
  }
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    // Options end at the first operand: `xxd f -a` writes a file named `-a`.
    if (operands.length > 0) operands.push(word);
    else if (typeof word === "string" && valued.test(word)) {
      index++;
      const value = args[index];
      if (value === undefined || (typeof value !== "string" && value.splits)) {
        site.unknown(`the value of ${word} is not known`);
      }
    } else if (typeof word === "string" && (flags.test(word) || attached.test(word))) continue;
    else if (mayBeOption(word) && word !== "-") {
      site.unknown(`the option ${showWord(word)} is not known`, showWord(word));
    } else operands.push(word);
  }
  const [input, target] = operands;
  if (input !== undefined && input !== "-") site.read(input);
  else if (site.piped) site.classify(undefined);
  if (target !== undefined) site.writeThrough("", target, "any");
  if (input !== undefined && maySeveral(input)) {
    site.unknown("a pattern may become two files, and the second is written", "");
  }
}
