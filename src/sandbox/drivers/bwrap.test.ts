import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { relayCommand } from "../drivers/bwrap.ts";

test("the command starts the relay with the descriptor and the port, before the words of the program", () => {
  const [program, ...words] = relayCommand(7);

  expect(program).toBe(process.execPath);
  expect(words.slice(-3)).toEqual(["7", "3128", "--"]);
  expect(existsSync(words.at(-4) ?? "")).toBe(true);
});
