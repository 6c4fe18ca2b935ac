import { expect, test } from "vitest";
import { readOf, runOf, writeOf } from "../../../test/policy/policy-world.ts";
import type { Effect, ExecuteEffect, Span } from "../../core/index.ts";
import { readsNamesOnly } from "./lists-names-only.ts";

const at = (start: number, end: number): Span => ({ start, end });

function listed(text: string, span: Span): ExecuteEffect {
  return runOf(text, { consequences: "listed", span });
}

test.each([
  { command: "ls", is: true, because: "it shows names" },
  { command: "/bin/ls", is: true, because: "it is the same program" },
  { command: "find .", is: true, because: "it shows names" },
  { command: "cat a", is: false, because: "it shows content" },
  { command: "git status", is: true, because: "this sub-command shows names" },
  { command: "git diff", is: false, because: "this one shows content" },
  { command: "git $x", is: false, because: "the sub-command is not known" },
  { command: "$x", is: false, because: "the program is not known" },
  { command: "git", is: false, because: "there is none" },
])("$command reads names only, $is: $because", ({ command, is }) => {
  const run = listed(command, at(0, 10));

  expect(readsNamesOnly({ ...readOf("/ws", "tree"), by: run.span }, [run])).toBe(is);
  expect(readsNamesOnly({ ...readOf("/ws", "tree"), span: at(3, 4) }, [run])).toBe(is);
});

test.each<{ effects: readonly Effect[]; span: Span; is: boolean; because: string }>([
  {
    effects: [listed("cat a", at(0, 20)), listed("ls", at(5, 10))],
    span: at(6, 7),
    is: true,
    because: "the innermost program around it reads it",
  },
  {
    effects: [listed("ls", at(0, 20)), listed("cat a", at(5, 10))],
    span: at(6, 7),
    is: false,
    because: "and that one shows content",
  },
  {
    effects: [listed("cat a", at(5, 10)), listed("ls", at(0, 20))],
    span: at(6, 7),
    is: false,
    because: "in whichever order they come",
  },
  {
    effects: [listed("ls", at(5, 10))],
    span: at(2, 8),
    is: false,
    because: "it begins before the program",
  },
  {
    effects: [listed("ls", at(5, 10))],
    span: at(6, 12),
    is: false,
    because: "it ends behind the program",
  },
  {
    effects: [readOf("/ws/a"), runOf("ls", { span: at(0, 10) })],
    span: at(1, 2),
    is: false,
    because: "what an open program does is not known",
  },
])("a read at $span, $is: $because", ({ effects, span, is }) => {
  expect(readsNamesOnly({ ...readOf("/ws"), span }, effects)).toBe(is);
});

test("a write, and a read of no program, is not one of names", () => {
  const run = listed("ls", at(0, 10));

  expect(readsNamesOnly({ ...writeOf("/ws/a"), by: run.span }, [run])).toBe(false);
  expect(readsNamesOnly(readOf("/ws"), [run])).toBe(false);
});
