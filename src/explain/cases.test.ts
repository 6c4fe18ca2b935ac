import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { explainCommand } from "./index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

interface ShellCase {
  readonly command: string;
  readonly because?: string;
  readonly rule?: string;
  readonly verdict?: string;
}

function casesOf(name: string): readonly ShellCase[] {
  const text = readFileSync(
    new URL(`../../test/cases/shell/${name}.jsonl`, import.meta.url),
    "utf8",
  );
  return text
    .trim()
    .split("\n")
    .map((line): ShellCase => JSON.parse(line));
}

describe("everyday commands that read inside the workspace run without a question", () => {
  test.each(casesOf("everyday"))("$command", ({ command }) => {
    expect(explainCommand(command, place)).toMatchObject({ verdict: "allow", readOnly: true });
  });
});

describe("what is not proved is asked about", () => {
  test.each(casesOf("attacks"))("$command: $because", ({ command }) => {
    expect(explainCommand(command, place).verdict).not.toBe("allow");
  });
});

describe("a rule answers for the program it names, not for what that causes besides", () => {
  test.each(casesOf("rules"))(
    "$rule: $command is $verdict, $because",
    ({ rule = "", command, verdict }) => {
      expect(explainCommand(command, { ...place, rules: { allow: [rule] } }).verdict).toBe(verdict);
    },
  );
});
