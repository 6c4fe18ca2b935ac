import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test.each([
  ["plain text\n\twith lines", "plain text\n\twith lines", "lines and tabs stay"],
  ["a\u001B[2Kb", "a␛[2Kb", "an escape sequence cannot clear the line"],
  ["safe\rrm -rf x", "safe␍rm -rf x", "a carriage return cannot paint over what stood before"],
  ["a\r\nb", "a\nb", "Windows lines are lines"],
  ["\u0007\u0000", "␇␀", "bells and zeros"],
  ["\u009B31m", "\\u{9b}31m", "one-byte escapes count as well"],
  ["\u202Etxt.exe", "\\u{202e}txt.exe", "text cannot be turned around"],
  ["naïve 日本 🙂", "naïve 日本 🙂", "letters of every script stay"],
  ["r\u200Bm\u00ADx\uFEFF", "r\\u{200b}m\\u{ad}x\\u{feff}", "nothing is there that is not seen"],
  ["a\u2028b", "a\\u{2028}b", "a line ends where it is seen to end"],
  [
    "می\u200Cخواهم 👩\u200D💻",
    "می\u200Cخواهم 👩\u200D💻",
    "joiners between letters belong to them",
  ],
  ["r\u200Dm é\u200Dx", "r\\u{200d}m é\\u{200d}x", "joiners of other letters hide something"],
])("%j is shown as %j: %s", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});
