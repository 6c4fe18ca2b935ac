import { expect, test } from "vitest";
import { callInput } from "./call-arguments.ts";

const given = { readStdin: async () => '{"from": "stdin"}' };

const accepted: readonly {
  readonly words: readonly string[];
  readonly input: unknown;
  readonly because: string;
}[] = [
  { words: [], input: {}, because: "a tool may need nothing" },
  { words: ["limit=5"], input: { limit: "5" }, because: "= gives text; the schema decides" },
  { words: ["limit:=5"], input: { limit: 5 }, because: ":= gives JSON" },
  { words: ["a:=[1, 2]"], input: { a: [1, 2] }, because: "JSON may have spaces" },
  { words: ["a="], input: { a: "" }, because: "empty text is text" },
  { words: ["a=b=c"], input: { a: "b=c" }, because: "only the first = divides" },
  { words: ["a==b"], input: { a: "=b" }, because: "text may begin with =" },
  { words: ["a=:=b"], input: { a: ":=b" }, because: "the first operator counts" },
  { words: ["-i:=true"], input: { "-i": true }, because: "Grep has keys with a dash" },
  { words: ["-C:=2", "-A=1"], input: { "-C": 2, "-A": "1" }, because: "keys, not options" },
  { words: ["a=line\nline"], input: { a: "line\nline" }, because: "text may have lines" },
  { words: ['{"a": 1}'], input: '{"a": 1}', because: "JSON text goes to the call as it came" },
  { words: [' {"a": 1'], input: ' {"a": 1', because: "half a JSON text is the call's to judge" },
  { words: ["-"], input: '{"from": "stdin"}', because: "- reads standard input" },
  { words: ["a={"], input: { a: "{" }, because: "a value may begin with a brace" },
];

test.each(accepted)("$words: $because", async ({ words, input }) => {
  await expect(callInput(words, given)).resolves.toEqual(input);
});

test("a key may have any name without touching prototypes", async () => {
  const input = await callInput(["__proto__=x", "constructor=y"], given);

  expect(Object.entries(input as object)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});

const refused: readonly { readonly words: readonly string[]; readonly says: string }[] = [
  { words: ["a=1", "a=2"], says: "a is given twice." },
  { words: ["a=1", "a:=2"], says: "a is given twice." },
  { words: ["a:=nope"], says: 'a:= must be followed by JSON, but "nope" is not JSON.' },
  { words: ["README.md"], says: '"README.md" is not an argument.' },
  { words: ["=x"], says: '"=x" is not an argument.' },
  { words: ["{}", "a=1"], says: "A JSON object is the whole input; remove the other arguments." },
  { words: ["a=1", "-"], says: "- is the whole input; remove the other arguments." },
];

test.each(refused)("$words is refused: $says", async ({ words, says }) => {
  await expect(callInput(words, given)).rejects.toMatchObject({
    name: "UsageError",
    message: says,
    hint: expect.stringMatching(/\S/u),
  });
});

test.each([
  { word: "README.md", offered: " Did you mean file_path=README.md?" },
  { word: "my notes.md", offered: " Did you mean 'file_path=my notes.md'?" },
  { word: "[1]", offered: "" },
  { word: '"a"', offered: "" },
  { word: "=x", offered: "" },
])("a lone $word is offered as$offered, as one would type it", async ({ word, offered }) => {
  const words = callInput([word], { ...given, mainKey: "file_path" });

  await expect(words).rejects.toMatchObject({
    message: `${JSON.stringify(word)} is not an argument.${offered}`,
  });
});
