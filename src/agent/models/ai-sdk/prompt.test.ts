import { describe, expect, test } from "vitest";
import type { Message } from "../../../session/index.ts";
import { toPrompt, type PromptTarget } from "./prompt.ts";
import { factsFor, providerOf } from "./provider-table.ts";

function target(modelProvider: string, modelId = "m"): PromptTarget {
  return { version: 4, provider: factsFor(providerOf(modelProvider), modelId) };
}

const traits = target("google");
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
  { input: "  ", sent: {}, because: "blanks are not input" },
  {
    input: '{"a":',
    sent: { unreadable: '{"a":' },
    because: "broken text must travel in an object",
  },
  { input: "[1]", sent: { unreadable: "[1]" }, because: "a list is not an object" },
  { input: "null", sent: { unreadable: "null" }, because: "null is not an object" },
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
  const providerData = { google: { thoughtSignature: "s" } };
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

test("a generated file and a provider's own call go back in the model's version", () => {
  const parts = [
    { kind: "other", data: { type: "file", mediaType: "image/png", data: "AAAA" } },
    { kind: "tool-call", data: { type: "tool-call", toolCallId: "s1", toolName: "search" } },
    { kind: "tool-result", data: { type: "tool-result", toolCallId: "s1", toolName: "search" } },
    { kind: "source", data: { type: "source", url: "https://a.example" } },
  ] as const;
  const messages: readonly Message[] = [
    {
      role: "assistant",
      content: parts.map((part) => ({ type: "provider", provider: "google", ...part })),
    },
  ];

  expect(toPrompt({ system: "", messages }, traits)).toEqual([
    {
      role: "assistant",
      content: [
        { type: "file", mediaType: "image/png", data: { type: "data", data: "AAAA" } },
        parts[1].data,
        parts[2].data,
      ],
    },
  ]);
  expect(toPrompt({ system: "", messages }, { ...traits, version: 2 })[0]?.content).toContainEqual(
    parts[0].data,
  );
  expect(toPrompt({ system: "", messages }, target("anthropic.messages"))).toEqual([]);
});

test("a provider's own call without a result is left out, and so is a result without a call", () => {
  const messages: readonly Message[] = [
    {
      role: "assistant",
      content: [
        {
          type: "provider",
          provider: "anthropic",
          kind: "tool-call",
          data: { type: "tool-call", toolCallId: "s1" },
        },
        {
          type: "provider",
          provider: "anthropic",
          kind: "tool-result",
          data: { type: "tool-result", toolCallId: "s2" },
        },
        { type: "text", text: "t" },
      ],
    },
  ];

  const [message] = toPrompt({ system: "", messages }, target("anthropic.messages"));

  expect(message?.content).toMatchObject([{ type: "text" }]);
});

describe("reasoning goes back only to the provider that it came from", () => {
  const signed = { anthropic: { signature: "s" } };
  const parts = [
    { name: "signed by Anthropic", providerData: signed },
    { name: "redacted by Anthropic", providerData: { anthropic: { redactedData: "x" } } },
    { name: "of DeepSeek", providerData: { deepseek: {} } },
    { name: "of nobody known", providerData: undefined },
  ] as const;

  test.each([
    { provider: "anthropic.messages", returned: [0, 1] },
    { provider: "googleVertex.anthropic.messages", returned: [0, 1] },
    { provider: "deepseek.chat", returned: [2] },
    { provider: "openai.responses", returned: [] },
    { provider: "openai.chat", returned: [] },
    { provider: "google.generative-ai", returned: [] },
    { provider: "ollama.chat", returned: [] },
  ])("$provider gets back $returned", ({ provider, returned }) => {
    const messages: readonly Message[] = parts.map(({ name, providerData }) => ({
      role: "assistant",
      content: [
        { type: "reasoning", text: name, ...(providerData === undefined ? {} : { providerData }) },
        { type: "text", text: "t" },
      ],
    }));

    const prompt = JSON.stringify(toPrompt({ system: "", messages }, target(provider)));

    expect(parts.map(({ name }) => prompt.includes(name))).toEqual(
      parts.map((_, index) => returned.some((each) => each === index)),
    );
  });

  test("and a message that has nothing else is left out", () => {
    const messages: readonly Message[] = [
      { role: "assistant", content: [{ type: "reasoning", text: "r", providerData: signed }] },
    ];

    expect(toPrompt({ system: "", messages }, target("openai.chat"))).toEqual([]);
  });
});

test("data of another provider is not sent", () => {
  const providerData = { google: { thoughtSignature: "s" }, mistral: { a: 1 } };
  const messages: readonly Message[] = [
    {
      role: "assistant",
      content: [{ type: "tool-call", id: "1", name: "T", input: "{}", providerData }],
    },
  ];

  const [message] = toPrompt({ system: "", messages }, target("mistral.chat"));

  expect(message?.content).toMatchObject([{ providerOptions: { mistral: { a: 1 } } }]);
  expect(JSON.stringify(message)).not.toContain("thoughtSignature");
});
