import { readFileSync } from "node:fs";
import { gfm } from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { parse, type DefaultTreeAdapterMap } from "parse5";
import TurndownService from "turndown";
import { htmlToMarkdown } from "../src/html/index.ts";

/**
 * Converts pages of Debian's documentation packages, and counts the facts that are kept: headings, lines of code, cells
 * and links of the content, as an independent parser finds them. Prints the share of each converter and its time.
 *
 *   apt-get install python3-doc git-doc sqlite3-doc debian-policy developers-reference apache2-doc cmake-doc
 *   npm run bench:web [-- PAGE.html …]
 */
const pages =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [
        "python3-doc/html/library/stdtypes.html",
        "python3-doc/html/library/os.html",
        "python3-doc/html/tutorial/classes.html",
        "git/html/git-log.html",
        "git/html/git-config.html",
        "sqlite3/lang_select.html",
        "debian-policy/policy.html/ch-controlfields.html",
        "developers-reference/pkgs.html",
        "apache2-doc/manual/en/mod/core.html",
        "cmake-data/html/manual/cmake.1.html",
      ].map((page) => `/usr/share/doc/${page}`);

type Node = DefaultTreeAdapterMap["node"];
type Facts = Readonly<Record<"headings" | "code" | "cells" | "links", readonly string[]>>;

const turndown = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
turndown.use(gfm);

const converters: Readonly<
  Record<string, (html: string, url: string) => string | Promise<string>>
> = {
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

const kinds = ["headings", "code", "cells", "links"] as const;

for (const page of pages) {
  let html: string;
  try {
    html = readFileSync(page, "utf8");
  } catch {
    report(`${page}: not installed`);
    continue;
  }
  const facts = factsOf(html);
  report(
    `\n${page}: ${Math.round(html.length / 1000)} kB, ${kinds.map((kind) => `${facts[kind].length} ${kind}`).join(", ")}`,
  );
  for (const [name, convert] of Object.entries(converters)) {
    let fastest = Infinity;
    let markdown = "";
    for (let round = 0; round < 2; round += 1) {
      const startedAt = performance.now();
      try {
        markdown = await convert(html, "https://docs.example.org/a/b.html");
      } catch (error) {
        markdown = "";
        report(`  ${name}: ${String(error).slice(0, 80)}`);
      }
      fastest = Math.min(fastest, performance.now() - startedAt);
    }
    const kept = kinds.map((kind) => `${kind} ${shareOf(facts[kind], markdown)} %`).join(", ");
    report(`  ${name.padEnd(24)} ${fastest.toFixed(0).padStart(5)} ms  ${kept}`);
  }
}

/** Text as it is compared: without blanks and marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\s\\`*_~|¶#[\]]+/gu, "");
}

function shareOf(facts: readonly string[], markdown: string): number {
  const text = plain(markdown.replaceAll(/\]\([^)]*\)/gu, "]"));
  const whole = plain(markdown);
  const kept = facts.filter((fact) => text.includes(fact) || whole.includes(fact));
  return facts.length === 0 ? 100 : Math.round((kept.length / facts.length) * 100);
}

/** Facts of the content: what surrounds it, such as menus, holds none. */
function factsOf(html: string): Facts {
  const facts: Record<(typeof kinds)[number], string[]> = {
    headings: [],
    code: [],
    cells: [],
    links: [],
  };
  const visit = (node: Node): void => {
    const name = node.nodeName;
    if (["script", "style", "head", "nav", "footer", "form", "template"].includes(name)) return;
    const attributes =
      "attrs" in node
        ? new Map(node.attrs.map((each) => [each.name, each.value]))
        : new Map<string, string>();
    if (attributes.get("role") === "navigation" || attributes.get("role") === "search") return;
    const text = /^(?:h[1-6]|pre|td|th|a)$/u.test(name) ? textOf(node) : "";
    if (/^h[1-6]$/u.test(name)) add(facts.headings, text);
    if (name === "pre") for (const line of text.split("\n")) add(facts.code, line);
    if (name === "td" || name === "th") add(facts.cells, text);
    const file = attributes.get("href")?.replace(/#.*$/u, "").split("/").at(-1);
    if (name === "a" && file !== undefined && file !== "") add(facts.links, file);
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html));
  return facts;
}

function add(facts: string[], text: string): void {
  const fact = plain(text);
  if (fact.length > 1) facts.push(fact);
}

function textOf(node: Node): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
