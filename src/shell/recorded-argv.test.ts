import { expect, test } from "vitest";
import recorded from "./recorded-argv.json" with { type: "json" };
import { explainCommand, type CommandExplanation } from "../explain/index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };
const stubs = new Set(["show", "alpha", "beta", "r-m"]);

/** Arguments of the analyzed commands that are stubs; undefined for an unknown word. */
function said({ commands }: CommandExplanation): (readonly (string | undefined)[])[] {
  return commands
    .filter(({ name }) => name !== undefined && stubs.has(name))
    .map(({ argv }) => argv.map((word) => (typeof word === "string" ? word : undefined)));
}

/** Whether the known words match those of bash; an unknown word may represent any number of words. */
function fits(words: readonly (string | undefined)[], ran: readonly string[]): boolean {
  if (!words.includes(undefined)) return JSON.stringify(words) === JSON.stringify(ran);
  return words[0] === ran[0];
}

test.each(recorded)("bash and we agree on $command", ({ command, ran }) => {
  const explanation = explainCommand(command, place);

  const ours = said(explanation);

  const missed = ran.filter((call) => !ours.some((words) => fits(words, call)));
  expect({ missed, ours: missed.length === 0 ? [] : ours }).toEqual({ missed: [], ours: [] });
});
