import { z } from "zod";
import {
  artifactStore,
  backgroundModel,
  defineTool,
  type ToolContext,
  ToolError,
  type ToolResult,
  web,
  type WebPage,
} from "../../core/index.ts";
import { grouped } from "../files/paths/display-path.ts";
import { optionalService } from "../files/optional-service.ts";
import { isUtf8 } from "node:buffer";
import { decodeText } from "../files/encodings/codec.ts";
import { markedForm } from "../files/encodings/detect.ts";
import { formOf } from "../files/encodings/text-form.ts";

const defaultSeconds = 30;
const maxSeconds = 120;

/** Characters of a page shown at once, about 10,000 tokens. */
const pageChars = 40_000;

/** A shorter page is shown whole, whatever is asked about it. */
const shortChars = 4000;

const Input = z.strictObject({
  url: z.string().describe("Address."),
  prompt: z.string().optional().describe("What to find."),
  raw: z.boolean().optional().describe("Not converted."),
  offset: z.int().optional().describe("First character."),
  timeout: z.number().optional().describe(`Seconds, at most ${maxSeconds}.`),
});

type Input = z.infer<typeof Input>;

export const webFetch = defineTool({
  name: "WebFetch",
  displayName: "Fetch page",
  description: "Fetch a web page as Markdown; prompt asks about it.",
  category: "web",
  aliases: ["web_fetch", "fetch"],
  searchHint: "web page url http https download website documentation browse read online",
  input: Input,
  inputAliases: { url: ["uri", "link"], prompt: ["question", "query"] },
  freeText: ["prompt"],
  touches: ["connect"],
  needs: [web],
  timeoutMs: 300_000,
  maxChars: 60_000,
  async effects({ url }, context) {
    const target = await context
      .service(web)
      .target(url)
      .catch(() => undefined);
    // The run reports what is wrong with the address.
    if (target === undefined) return [];
    const { host, port, isLocal } = target;
    // Other ports may be those of other services, which the user is asked about.
    const isPublic = !isLocal && (port === 80 || port === 443);
    return [{ kind: "connect", host, port, ...(isPublic ? { reach: "public" } : {}) }];
  },
  signature: ({ url, prompt, offset }) =>
    `WebFetch ${url}${prompt === undefined ? "" : ` ${JSON.stringify(prompt)}`}${offset === undefined ? "" : ` from ${offset}`}`,

  async run(input, context) {
    const { url, raw = false, timeout = defaultSeconds } = input;
    const { host, signal } = context;
    const seconds = Math.min(maxSeconds, timeout);
    if (!(seconds > 0)) {
      throw new ToolError("INVALID_INPUT", `A timeout of ${timeout} s is too short.`, {
        hint: `Use a timeout of 1 to ${maxSeconds} seconds.`,
      });
    }
    const page = await context
      .service(web)
      .read(
        { url, raw, timeoutMs: seconds * 1000 },
        { net: host.net, clock: host.clock, signal, decode: decodePage },
      );
    switch (page.kind) {
      case "redirect":
        return redirected(page);
      case "text":
        return shown(page, input, context);
      case "bytes": {
        const { readBytes } = await import("./read-bytes.ts");
        const read = await readBytes(page, context);
        return "text" in read ? shown(read, input, context) : read;
      }
    }
  },
});

type TextPage = Extract<WebPage, { readonly kind: "text" }>;

function redirected({ url, target }: Extract<WebPage, { readonly kind: "redirect" }>): ToolResult {
  return {
    content: `${url} redirects to another host: ${target}\nCall WebFetch with that address to follow it.`,
    title: `Fetch ${url}`,
    summary: `redirects to ${target}`,
    metadata: { url, redirect: target },
  };
}

async function shown(page: TextPage, input: Input, context: ToolContext): Promise<ToolResult> {
  const { prompt, offset, raw = false } = input;
  const isAsked = prompt !== undefined && prompt.trim() !== "" && offset === undefined && !raw;
  if (isAsked && page.text.length > shortChars) {
    const model = optionalService(context, backgroundModel);
    if (model !== undefined) return await answered(page, prompt, context);
    const note = "No model is configured to answer the prompt; this is the page itself.";
    return partOf({ ...page, notes: [...page.notes, note] }, input);
  }
  return partOf(page, input);
}

async function answered(page: TextPage, prompt: string, context: ToolContext): Promise<ToolResult> {
  const { signal, runId } = context;
  const { url, text } = page;
  const answer = await context.service(web).answer({
    text,
    url,
    prompt,
    ask: async (request) => {
      const { text: said } = await context
        .service(backgroundModel)
        .ask({ ...request, maxOutputTokens: 2000, signal, runId });
      return said;
    },
  });
  const stored = await storedPage(page, context);
  const notes = [
    `Answer about ${url}; ${answer.verified} quotes were found on the page${answer.removed === 0 ? "" : `, ${answer.removed} were not and are left out`}.`,
    ...(answer.readChars < text.length
      ? [
          `Only its first ${grouped(answer.readChars)} of ${grouped(text.length)} characters were read.`,
        ]
      : []),
    stored === undefined
      ? "Call WebFetch without a prompt for the page itself."
      : `The page itself, ${grouped(text.length)} characters: ${stored}`,
    ...page.notes,
  ];
  return {
    content: `${answer.text}\n\n(${notes.join(" ")})`,
    title: `Fetch ${url}`,
    summary: `answer with ${answer.verified} quotes`,
    metadata: {
      ...factsOf(page),
      verifiedQuotes: answer.verified,
      removedQuotes: answer.removed,
      ...(stored === undefined ? {} : { fullPage: stored }),
    },
  };
}

async function storedPage({ text }: TextPage, context: ToolContext): Promise<string | undefined> {
  const store = optionalService(context, artifactStore);
  if (store === undefined) return undefined;
  const stream = store.open(`${context.callId}-page`);
  await stream.write(text);
  return (await stream.end())?.path;
}

/** One part of the page, cut between paragraphs or lines where possible. */
function partOf(page: TextPage, { offset }: Pick<Input, "offset">): ToolResult {
  const { text, url } = page;
  const start = Math.max(0, (offset ?? 1) - 1);
  const end = endOf(text, start);
  const part = text.slice(start, end);
  const total = grouped(text.length);
  const notes = [...page.notes];
  if (start >= text.length && text.length > 0)
    notes.push(`The page has ${total} characters; there are none from ${start + 1}.`);
  else if (text.trim() === "") notes.push("The page has no text; it may be made by scripts.");
  else if (end < text.length) {
    notes.push(
      `Characters ${grouped(start + 1)} to ${grouped(end)} of ${total}. Continue with offset ${end + 1}.`,
    );
  }
  return {
    content: notes.length === 0 ? part : `${part.trimEnd()}\n\n(${notes.join(" ")})`.trimStart(),
    title: `Fetch ${url}`,
    summary: page.title ?? `${total} characters`,
    metadata: { ...factsOf(page), ...(end < text.length ? { next: end + 1 } : {}) },
  };
}

function endOf(text: string, start: number): number {
  const last = start + pageChars;
  if (last >= text.length) return text.length;
  const earliest = start + pageChars * 0.8;
  for (const gap of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(gap, last);
    if (at > earliest) return at + gap.length;
  }
  // Never between the halves of one character.
  return /[\uD800-\uDBFF]/u.test(text.charAt(last - 1)) ? last - 1 : last;
}

function factsOf({
  url,
  mediaType,
  title,
  text,
  isCached,
}: TextPage): Readonly<Record<string, unknown>> {
  return {
    url,
    mediaType,
    chars: text.length,
    isCached,
    ...(title === undefined ? {} : { title }),
  };
}

/**
 * Decodes a page; undefined for bytes that are not text. A byte order mark decides, then UTF-8 if the bytes are valid in
 * it, then the encoding that the server or page declares, then the bytes themselves.
 */
function decodePage(bytes: Uint8Array, declared: string | undefined): string | undefined {
  const marked = markedForm(bytes);
  if (marked !== undefined) return decodeText(bytes, marked).text;
  const isPlain = isUtf8(bytes) && !bytes.subarray(0, 8192).includes(0);
  if (isPlain) return decodeText(bytes, { encoding: "utf-8", markBytes: 0, isSure: true }).text;
  const size = bytes.length;
  for (const encoding of declared === undefined || declared === "utf-8"
    ? [undefined]
    : [declared, undefined]) {
    try {
      const form = formOf(bytes, { shown: "the page", encoding, size });
      return decodeText(bytes, form).text;
    } catch (error) {
      // An unknown name is ignored. Bytes that are not text fail in any encoding.
      if (!ToolError.is(error)) throw error;
    }
  }
  // A page that is said to be UTF-8 and is not binary has damaged characters.
  const isText = declared === "utf-8" && !bytes.subarray(0, 8192).includes(0);
  return isText
    ? decodeText(bytes, { encoding: "utf-8", markBytes: 0, isSure: true }).text
    : undefined;
}
