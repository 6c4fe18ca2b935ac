import type { Parser } from "htmlparser2";
import { blockElements, isSilent, languageOf, type Attributes } from "./elements.ts";
import { InlineText, inlineElements } from "./inline.ts";
import { leadsElsewhere, partOf, resolved, withTitle, type Part } from "./page-parts.ts";
import { spanOf, tableMarkdown, type Cell, type Table } from "./table.ts";

export interface HtmlOptions {
  /** Address of the page, against which its links are resolved. */
  readonly url?: string | undefined;
}

/** The text of a page. */
export interface HtmlPage {
  readonly title: string | undefined;
  /** The content in Markdown, with the title first. */
  readonly markdown: string;
  /** Elements were nested too deeply, and what followed is missing. */
  readonly isCut: boolean;
}

/** Elements inside of each other; pages have about 30. */
const maxDepth = 800;

/** Characters given to the parser at once: its own work grows with the depth, which is checked in between. */
const stepChars = 32_768;

/** Converts a page to Markdown in one pass over its tokens. */
export async function htmlToMarkdown(html: string, options: HtmlOptions = {}): Promise<HtmlPage> {
  const { Parser: HtmlParser } = await import("htmlparser2");
  const converter = new Converter(options.url);
  const parser: Parser = new HtmlParser(
    {
      onopentag: (name, attributes) => converter.open(name, attributes),
      onclosetag: (name) => converter.close(name),
      ontext: (text) => converter.text(text),
    },
    { decodeEntities: true },
  );
  for (let at = 0; at < html.length && !converter.isCut; at += stepChars) {
    parser.write(html.slice(at, at + stepChars));
  }
  if (!converter.isCut) parser.end();
  return converter.page();
}

/** Blocks of a part of the page that is still open. */
interface Frame {
  readonly kind: "root" | "item" | "quote" | "cell" | "part";
  readonly blocks: string[];
  /** Counts of the text at the beginning, so that the difference is that of the frame. */
  readonly chars: number;
  readonly linkChars: number;
}

interface List {
  readonly isOrdered: boolean;
  next: number;
  readonly items: string[];
}

interface Open {
  readonly name: string;
  readonly end?: (() => void) | undefined;
  readonly isSilent: boolean;
  readonly language: string | undefined;
}

const empties: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr", "meta", "link", "base"]);

class Converter {
  isCut = false;
  #title = "";
  #isInTitle = false;
  #base: string | undefined;
  readonly #own: string | undefined;
  readonly #inline = new InlineText();
  readonly #root: Frame = { kind: "root", blocks: [], chars: 0, linkChars: 0 };
  readonly #frames: Frame[] = [this.#root];
  readonly #open: Open[] = [];
  readonly #lists: List[] = [];
  readonly #tables: Table[] = [];
  readonly #mains: { readonly part: Part; readonly text: string; readonly chars: number }[] = [];
  #silence = 0;
  #parts = 0;
  #code: string | undefined;
  #codeLanguage: string | undefined;

  constructor(url: string | undefined) {
    this.#base = url;
    this.#own = url?.replace(/#.*$/su, "");
  }

  text(text: string): void {
    if (this.#isInTitle) this.#title += text;
    else if (this.#silence > 0) return;
    else if (this.#code === undefined) this.#inline.add(text);
    else this.#code += text;
  }

  open(name: string, attributes: Attributes): void {
    if (empties.has(name)) {
      this.#empty(name, attributes);
      return;
    }
    if (this.#open.length >= maxDepth) this.isCut = true;
    if (this.isCut) return;
    if (name === "title" && this.#title === "" && !this.#isInside("svg")) this.#isInTitle = true;
    const silence = isSilent(name, attributes);
    if (silence) this.#silence += 1;
    const isActive = this.#silence === 0;
    const language = (isActive ? languageOf(attributes) : undefined) ?? this.#open.at(-1)?.language;
    this.#open.push({
      name,
      isSilent: silence,
      language,
      end: isActive ? this.#begin(name, attributes, language) : undefined,
    });
  }

  close(name: string): void {
    if (empties.has(name) || this.isCut) return;
    const top = this.#open.at(-1);
    if (top?.name !== name) return;
    this.#open.pop();
    if (name === "title") this.#isInTitle = false;
    top.end?.();
    if (top.isSilent) this.#silence -= 1;
  }

  page(): HtmlPage {
    while (this.#open.length > 0) {
      const top = this.#open.pop();
      top?.end?.();
    }
    this.#flush();
    const whole = this.#root.blocks.join("\n\n");
    const title = this.#title.replaceAll(/\s+/gu, " ").trim();
    const body = this.#content(whole);
    return {
      title: title === "" ? undefined : title,
      markdown: withTitle(title, body),
      isCut: this.isCut,
    };
  }

  /** The part with the content, if the page marks it and it holds most of the text; otherwise all that is not around. */
  #content(whole: string): string {
    const longest = (part: Part): { readonly text: string; readonly chars: number } | undefined =>
      this.#mains
        .filter((each) => each.part === part)
        .toSorted((one, other) => other.chars - one.chars)[0];
    const main = longest("main");
    if (main !== undefined && main.chars * 4 >= whole.length) return main.text;
    const article = longest("article");
    return article !== undefined && article.chars * 2 >= whole.length ? article.text : whole;
  }

  /** Begins an element, and returns how to end it. */
  #begin(
    name: string,
    attributes: Attributes,
    language: string | undefined,
  ): (() => void) | undefined {
    if (this.#code !== undefined) {
      this.#codeLanguage ??= language;
      return this.#inCode(name);
    }
    if (inlineElements.has(name)) return this.#beginInline(name, attributes);
    if (!blockElements.has(name)) return undefined;
    this.#flush();
    switch (name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return () => this.#heading(Number(name.slice(1)));
      case "pre":
        this.#code = "";
        this.#codeLanguage = language;
        return () => this.#endCode();
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return this.#around(partOf(name, attributes), this.#list(name === "ol", attributes));
      case "li":
        return this.#item();
      case "blockquote":
        return this.#quote();
      case "table":
        return this.#around(partOf(name, attributes), this.#table(attributes));
      case "tr":
        this.#tables.at(-1)?.rows.push([]);
        return () => this.#flush();
      case "td":
      case "th":
        return this.#cell(attributes);
      case "dt":
        return () => this.#term();
      default:
        return this.#around(partOf(name, attributes), () => this.#flush());
    }
  }

  #beginInline(name: string, attributes: Attributes): () => void {
    const href = name === "a" ? this.#target(attributes["href"]) : undefined;
    this.#inline.open(name, href);
    return () => this.#inline.close(name);
  }

  /** In code only line breaks count; some pages have an element for each line. */
  #inCode(name: string): (() => void) | undefined {
    if (!blockElements.has(name)) return undefined;
    return () => {
      if (this.#code?.endsWith("\n") === false) this.#code += "\n";
    };
  }

  #empty(name: string, attributes: Attributes): void {
    if (name === "base" && attributes["href"] !== undefined) {
      this.#base = resolved(attributes["href"], this.#base) ?? this.#base;
    }
    if (this.#silence > 0) return;
    if (name === "br") {
      if (this.#code === undefined) this.#inline.lineBreak();
      else this.#code += "\n";
    } else if (name === "hr" && this.#code === undefined) {
      this.#flush();
      this.#block("---");
    } else if (name === "img" && this.#code === undefined) this.#image(attributes);
  }

  #image({ alt = "", src = "", ...rest }: Attributes): void {
    const text = alt.replaceAll(/\s+/gu, " ").trim();
    if (text === "" || "hidden" in rest) return;
    const target = src.startsWith("data:") ? undefined : resolved(src, this.#base);
    this.#inline.addMarkdown(target === undefined ? text : `![${text}](${target})`);
  }

  /** Absolute target of a link; undefined for one within the page, and for one that runs a script. */
  #target(href: string | undefined): string | undefined {
    if (href === undefined || href === "" || href.startsWith("#")) return undefined;
    const target = resolved(href, this.#base);
    if (target === undefined) return undefined;
    return target.includes("#") && target.replace(/#.*$/su, "") === this.#own ? undefined : target;
  }

  #heading(level: number): void {
    const text = this.#inline
      .take()
      .replace(/\s*[¶§#🔗]+$/u, "")
      .replaceAll("\n", " ");
    if (text !== "") this.#block(`${"#".repeat(level)} ${text}`);
  }

  #term(): void {
    const text = this.#inline.take().replace(/\s*¶$/u, "");
    if (text !== "") this.#block(/[*`[]/u.test(text) ? text : `**${text}**`);
  }

  #endCode(): void {
    const text = (this.#code ?? "").replace(/^\n/u, "").trimEnd();
    this.#code = undefined;
    if (text === "") return;
    const longest = Math.max(
      2,
      ...Array.from(text.matchAll(/^`{3,}/gmu), ([ticks]) => ticks.length),
    );
    const fence = "`".repeat(longest + 1);
    this.#block(`${fence}${this.#codeLanguage ?? ""}\n${text}\n${fence}`);
  }

  #list(isOrdered: boolean, { start }: Attributes): () => void {
    const first = Number(start ?? 1);
    const list: List = { isOrdered, next: Number.isSafeInteger(first) ? first : 1, items: [] };
    this.#lists.push(list);
    return () => {
      this.#flush();
      this.#lists.pop();
      const isLoose = list.items.some((item) => item.includes("\n\n"));
      if (list.items.length > 0) this.#block(list.items.join(isLoose ? "\n\n" : "\n"));
    };
  }

  #item(): () => void {
    const frame = this.#push("item");
    return () => {
      const text = this.#pop(frame).join("\n\n");
      if (text === "") return;
      const list = this.#lists.at(-1);
      const marker = list?.isOrdered === true ? `${list.next}. ` : "- ";
      if (list !== undefined) list.next += 1;
      // A list right below its item belongs to it without a blank line.
      const tight = text.replace(/^([^\n]+)\n\n(?=(?:- |\d+\. ))/u, "$1\n");
      const item = `${marker}${indented(tight, " ".repeat(marker.length))}`;
      if (list === undefined) this.#block(item);
      else list.items.push(item);
    };
  }

  #quote(): () => void {
    const frame = this.#push("quote");
    return () => {
      const text = this.#pop(frame).join("\n\n");
      if (text !== "") this.#block(`> ${text.replaceAll("\n", "\n> ").replaceAll("> \n", ">\n")}`);
    };
  }

  #table({ role }: Attributes): () => void {
    const table: Table = { rows: [], isLayout: role === "presentation" };
    this.#tables.push(table);
    return () => {
      this.#flush();
      this.#tables.pop();
      const text = tableMarkdown(table);
      if (text !== "") this.#block(text);
    };
  }

  #cell(attributes: Attributes): () => void {
    const frame = this.#push("cell");
    return () => {
      const text = this.#pop(frame).join("\n\n");
      const cell: Cell = {
        text,
        columns: spanOf(attributes["colspan"]),
        rows: spanOf(attributes["rowspan"]),
      };
      const row = this.#tables.at(-1)?.rows.at(-1);
      if (row === undefined) this.#block(text);
      else row.push(cell);
    };
  }

  /** Decides about a part of the page when it ends. */
  #around(part: Part | undefined, end: () => void): () => void {
    if (part === undefined) return end;
    const isInMain = this.#parts > 0;
    const isMain = part === "main" || part === "article";
    if (isMain) this.#parts += 1;
    const frame = this.#push("part");
    return () => {
      end();
      if (isMain) this.#parts -= 1;
      const chars = this.#inline.chars - frame.chars;
      const linkChars = this.#inline.linkChars - frame.linkChars;
      const text = this.#pop(frame).join("\n\n");
      if (text === "" || (!isMain && leadsElsewhere(part, { text, chars, linkChars, isInMain })))
        return;
      if (isMain) this.#mains.push({ part, text, chars });
      this.#block(text);
    };
  }

  #push(kind: Frame["kind"]): Frame {
    const { chars, linkChars } = this.#inline;
    const frame: Frame = { kind, blocks: [], chars, linkChars };
    this.#frames.push(frame);
    return frame;
  }

  /** Ends a frame and those in it that the page left open. */
  #pop(frame: Frame): readonly string[] {
    this.#flush();
    while (this.#frames.length > 1) {
      const last = this.#frames.pop();
      if (last === frame || last === undefined) break;
      frame.blocks.push(...last.blocks);
    }
    return frame.blocks;
  }

  #flush(): void {
    if (this.#inline.isEmpty) return;
    const text = this.#inline.take();
    if (text !== "") this.#block(text);
  }

  #block(text: string): void {
    this.#frames.at(-1)?.blocks.push(text);
  }

  #isInside(name: string): boolean {
    return this.#open.some((each) => each.name === name);
  }
}

function indented(text: string, by: string): string {
  return text.replaceAll(/\n(?!\n)/gu, `\n${by}`);
}
