import { expect, test } from "vitest";
import type { Message } from "../../../session/index.ts";
import { toPrompt, type PromptTraits } from "./prompt.ts";

const traits: PromptTraits = {
  version: 4,
  takesMediaInResults: true,
  marksCache: false,
  provider: "anthropic",
};
const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
const hello = { type: "text", text: "hello" } as const;

const withImages: readonly Message[] = [
  { role: "user", content: [hello, image] },
  {
    role: "tool",
    content: [
      { type: "tool-result", callId: "1", name: "T", content: [hello, image], isError: false },
    ],
  },
];

test.each([
  {
    version: 4,
    file: { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" },
    inResult: { type: "file", data: { type: "data", data: "AAAA" }, mediaType: "image/png" },
  },
  {
    version: 3,
    file: { type: "file", data: "AAAA", mediaType: "image/png" },
    inResult: { type: "image-data", data: "AAAA", mediaType: "image/png" },
  },
  {
    version: 2,
    file: { type: "file", data: "AAAA", mediaType: "image/png" },
    inResult: { type: "media", data: "AAAA", mediaType: "image/png" },
  },
] as const)("an image is worded for version $version", ({ version, file, inResult }) => {
  expect(toPrompt({ system: "", messages: withImages }, { ...traits, version })).toEqual([
    { role: "user", content: [hello, file] },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "1",
          toolName: "T",
          output: { type: "content", value: [hello, inResult] },
        },
      ],
    },
  ]);
});

test("sound in a result of version 3 is file data", () => {
  const audio = { type: "audio", data: "AAAA", mimeType: "audio/wav" } as const;
  const messages: readonly Message[] = [
    {
      role: "tool",
      content: [{ type: "tool-result", callId: "1", name: "T", content: [audio], isError: false }],
    },
  ];

  expect(JSON.stringify(toPrompt({ system: "", messages }, { ...traits, version: 3 }))).toContain(
    '"type":"file-data"',
  );
});

test.each([
  { input: '{"a":1}', sent: { a: 1 }, because: "an object goes as it is" },
  { input: "", sent: {}, because: "no input is an empty object" },
  { input: "  ", sent: {}, because: "blank is no input" },
  {
    input: '{"a":',
    sent: { unreadable: '{"a":' },
    because: "broken text must travel in an object",
  },
  { input: "[1]", sent: { unreadable: "[1]" }, because: "a list is no object" },
  { input: "null", sent: { unreadable: "null" }, because: "null is no object" },
])("the input $input is sent as $sent, $because", ({ input, sent }) => {
  const messages: readonly Message[] = [
    { role: "assistant", content: [{ type: "tool-call", id: "1", name: "T", input }] },
  ];

  expect(toPrompt({ system: "", messages }, traits)).toEqual([
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "1", toolName: "T", input: sent }],
    },
  ]);
});

test("what a provider gave with a part goes back with it", () => {
  const providerData = { p: { signature: "s" } };
  const messages: readonly Message[] = [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "r", providerData },
        { type: "text", text: "t", providerData },
        { type: "tool-call", id: "1", name: "T", input: "{}", providerData },
      ],
    },
  ];

  const [message] = toPrompt({ system: "", messages }, traits);

  expect(message?.content).toMatchObject([
    { type: "reasoning", providerOptions: providerData },
    { type: "text", providerOptions: providerData },
    { type: "tool-call", providerOptions: providerData },
  ]);
});

test("a failed call's result is error text, media named and not sent", () => {
  const messages: readonly Message[] = [
    {
      role: "tool",
      content: [
        { type: "tool-result", callId: "1", name: "T", content: [hello, image], isError: true },
      ],
    },
  ];

  expect(toPrompt({ system: "", messages }, traits)).toMatchObject([
    { content: [{ output: { type: "error-text", value: "hello\n[image image/png]" } }] },
  ]);
});

test("links and embedded resources are text", () => {
  const messages: readonly Message[] = [
    {
      role: "user",
      content: [
        { type: "resource_link", uri: "file:///a", name: "a" },
        { type: "resource", resource: { uri: "file:///b", text: "content of b" } },
        { type: "resource", resource: { uri: "file:///c", blob: "AAAA" } },
      ],
    },
  ];

  expect(toPrompt({ system: "", messages }, traits)).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "[resource file:///a]" },
        { type: "text", text: "content of b" },
        { type: "text", text: "[resource file:///c]" },
      ],
    },
  ]);
});

test("only the first and the last message say that they may be cached", () => {
  const messages: readonly Message[] = [
    { role: "user", content: [hello] },
    { role: "assistant", content: [hello] },
    { role: "user", content: [hello] },
  ];

  const prompt = toPrompt({ system: "be good", messages }, { ...traits, marksCache: true });

  expect(prompt.map(({ role, providerOptions }) => [role, providerOptions !== undefined])).toEqual([
    ["system", true],
    ["user", false],
    ["assistant", false],
    ["user", true],
  ]);
});
