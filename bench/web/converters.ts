import { gfm } from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import TurndownService from "turndown";
import { htmlToMarkdown } from "../../src/html/index.ts";

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.use(gfm);

/** Converts a page with an address to Markdown. */
export type Converter = (html: string, url: string) => string | Promise<string>;

/** haft first, then the others. */
export const converters: Readonly<Record<string, Converter>> = {
  haft: async (html, url) => (await htmlToMarkdown(html, { url })).markdown,
  "Readability + Turndown": (html) => {
    const { document } = parseHTML(html);
    return turndown.turndown(new Readability(document as never).parse()?.content ?? "");
  },
  defuddle: async (html, url) => {
    const { document } = parseHTML(html);
    return (await Defuddle(document as never, url, { markdown: true })).content;
  },
  "node-html-markdown": (html) => NodeHtmlMarkdown.translate(html),
};
