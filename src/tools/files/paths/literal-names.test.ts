import { expect, test } from "vitest";
import { takenLiterally } from "./literal-names.ts";

const home = "/home/user";

test.each([
  { text: "file:///a/b.ts", plain: "/a/b.ts", because: "a URL of a local file" },
  { text: "FILE:///a/b.ts", plain: "/a/b.ts", because: "schemes have no case" },
  { text: "file://localhost/a", plain: "/a", because: "localhost is this machine" },
  { text: "file:/a/b%20c%C3%A9", plain: "/a/b c\u00E9", because: "percents are decoded" },
  { text: "file:///a%2525", plain: "/a%25", because: "and once only" },
  { text: "file:///a#L10", plain: "/a", because: "a fragment does not belong to the path" },
  { text: "file:a/b.ts", plain: "a/b.ts", because: "what package managers write" },
  { text: "file://server/share", plain: undefined, because: "another machine is not reached" },
  { text: "file:///a%00b", plain: undefined, because: "no path has a NUL" },
  { text: "file:///a%zz", plain: undefined, because: "it cannot be decoded" },
  { text: "file:///C:/a", plain: undefined, because: "a path of Windows in a URL" },
  { text: "https://example.com/a.ts", plain: undefined, because: "a page is not a file" },
  { text: "vscode://file/a", plain: undefined, because: "nor is any other URL" },
  { text: "~", plain: home, because: "the home folder" },
  { text: "~/a b/c", plain: `${home}/a b/c`, because: "below the home folder" },
  { text: "$HOME/a", plain: `${home}/a`, because: "by its variable" },
  { text: "${HOME}/a", plain: `${home}/a`, because: "by its variable in braces" },
  { text: "$XDG_CONFIG_HOME/a", plain: undefined, because: "of others the value is not known" },
  { text: "${name}/a", plain: undefined, because: "a template that was not filled in" },
  { text: "~root/a", plain: undefined, because: "the home directory of another user" },
  { text: "C:\\a\\b.ts", plain: undefined, because: "a drive" },
  { text: "c:/a/b.ts", plain: undefined, because: "a drive with other slashes" },
  { text: "\\\\server\\share", plain: undefined, because: "a share" },
  { text: ".\\src\\a.ts", plain: "./src/a.ts", because: "relative as on Windows" },
  { text: '"a b.ts"', plain: "a b.ts", because: "quotes as for a shell" },
  { text: "'a.ts'", plain: "a.ts", because: "single quotes" },
  { text: "`a.ts`", plain: "a.ts", because: "backticks as in Markdown" },
  { text: "\u201Ca.ts\u201D", plain: "a.ts", because: "typographic quotes" },
  { text: '""', plain: undefined, because: "nothing is left" },
  { text: "`~/a`", plain: `${home}/a`, because: "one form within another" },
  { text: '"file:///a%20"\n', plain: "/a", because: "and a third" },
  { text: "a.ts ", plain: "a.ts", because: "a blank at the end" },
  { text: "a.ts\n", plain: "a.ts", because: "the end of a line" },
  { text: "\ta.ts", plain: "a.ts", because: "a tab in front" },
  { text: "a\\ b.ts", plain: "a b.ts", because: "a blank escaped as for a shell" },
  { text: "./a.ts ", plain: "./a.ts", because: "a blank is never meant" },
])("$text: $because", ({ text, plain }) => {
  expect(takenLiterally(text, home)).toMatchObject({ plain });
});

test.each([
  ["src/a b.ts", "blanks inside of a name"],
  ["./~/a", "said to be meant"],
  ["./file:/a", "said to be meant"],
  ['./"a"', "said to be meant"],
  ["~$report.docx", "what office programs write next to a file"],
  ["~a.tmp", "a name with a tilde in front"],
  ["a~", "a backup"],
  ["$id.tsx", "a route"],
  ["$lang/index.tsx", "a folder of routes"],
  ["routes/$HOME/a", "not at the beginning"],
  ['"a".txt', "quotes at one end"],
  ["it's", "an apostrophe"],
  ["a:b", "a colon in a name"],
  ["c:", "no slash follows"],
  ["mnt-my\\x2ddata.mount", "an escape of systemd"],
  ["@types/a.d.ts", "a folder of packages"],
  ["a//b", "a doubled slash"],
  ["http/a", "a folder"],
])("%s may be a path: %s", (text) => {
  expect(takenLiterally(text, home)).toBeUndefined();
});
