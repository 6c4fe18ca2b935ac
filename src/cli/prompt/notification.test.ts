import { expect, test } from "vitest";
import { notifyTerminal } from "./notification.ts";
import type { Terminal } from "../terminal.ts";

test("a notification is OSC 9, OSC 777 and the bell, and its text ends none of them", () => {
  const written: string[] = [];
  const terminal = { raw: (text: string) => void written.push(text) } as unknown as Terminal;

  notifyTerminal(terminal, { title: "a;b", body: "c\u0007\u001B]52;c;evil\u0007\nd" });

  const [text = ""] = written;
  expect(text.startsWith("\u001B]9;a b: c")).toBe(true);
  expect(text.split("\u0007")).toHaveLength(4);
  expect(text.split("\u001B")).toHaveLength(3);
  expect(text).toContain("\u001B]777;notify;a b;c");
});
