import type { Effect } from "../../core/index.ts";

/**
 * What a command will touch. The text is not looked into: it is one program with open consequences, so it
 * also carries an `unknown` effect and is asked about until a rule names it.
 */
export function commandEffects(command: string): readonly Effect[] {
  const span = { start: 0, end: command.length };
  return [
    {
      kind: "execute",
      argv: ["bash", "-c", command],
      assigns: [],
      via: [],
      consequences: "open",
      span,
    },
    { kind: "unknown", because: "a shell command may do anything", origin: "Bash", span },
  ];
}
