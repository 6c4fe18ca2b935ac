/** A run of text with a meaning of its own that is still open. */
interface Run {
  readonly name: string;
  /** Text since the last finished part. */
  text: string;
  /** Finished parts of a code run, which contains links. */
  done: string;
  readonly href: string | undefined;
}

const marks: Readonly<Record<string, string>> = {
  b: "**",
  strong: "**",
  i: "*",
  em: "*",
  cite: "*",
  del: "~~",
  s: "~~",
};

const codeNames: ReadonlySet<string> = new Set(["code", "tt", "samp", "kbd"]);

/** Elements that change the meaning of text within a block. */
export const inlineElements: ReadonlySet<string> = new Set([
  ...Object.keys(marks),
  ...codeNames,
  "a",
  "q",
  "sup",
]);

/** One block of text with emphasis, code and links, as Markdown. */
export class InlineText {
  #text = "";
  readonly #runs: Run[] = [];
  /** Whether a blank would be the first of the block, or follow another one. */
  #isAfterBlank = true;
  /** Characters of text, and those in links, since the object was made. */
  chars = 0;
  linkChars = 0;
  #links = 0;

  get isEmpty(): boolean {
    return this.#text === "" && this.#runs.every(({ text, done }) => text === "" && done === "");
  }

  /** Adds text of the page, with its blanks as one. */
  add(raw: string): void {
    let text = raw.replaceAll(/[\t\n\f\r ]+/gu, " ");
    if (this.#isAfterBlank && text.startsWith(" ")) text = text.slice(1);
    if (text === "") return;
    this.#isAfterBlank = text.endsWith(" ");
    this.chars += text.length;
    if (this.#links > 0) this.linkChars += text.length;
    this.#append(text);
  }

  /** Adds Markdown as it is. */
  addMarkdown(markdown: string): void {
    this.#isAfterBlank = false;
    this.#append(markdown);
  }

  lineBreak(): void {
    this.#isAfterBlank = true;
    this.#append("\n");
  }

  open(name: string, href?: string): void {
    if (name === "a") this.#links += 1;
    const code = this.#code();
    if (code !== undefined && name === "a") {
      code.done += codeSpan(code.text);
      code.text = "";
    }
    this.#runs.push({ name, text: "", done: "", href });
  }

  close(name: string): void {
    const index = this.#runs.findLastIndex((run) => run.name === name);
    if (index === -1) return;
    while (this.#runs.length > index) this.#closeLast();
  }

  /** Ends the block and returns it; what is open continues in the next one. */
  take(): string {
    const open = this.#runs.map(({ name, href }) => ({ name, href }));
    while (this.#runs.length > 0) this.#closeLast();
    const text = this.#text;
    this.#text = "";
    this.#isAfterBlank = true;
    for (const { name, href } of open) this.open(name, href);
    return text.trim();
  }

  #append(text: string): void {
    const run = this.#runs.at(-1);
    if (run === undefined) this.#text += text;
    else run.text += text;
  }

  #code(): Run | undefined {
    return this.#runs.findLast(({ name }) => codeNames.has(name));
  }

  #closeLast(): void {
    const run = this.#runs.pop();
    if (run === undefined) return;
    if (run.name === "a") this.#links -= 1;
    const code = this.#code();
    const finished = markdownOf(run, code !== undefined);
    if (code !== undefined && run.name === "a") code.done += finished;
    else this.#append(finished);
  }
}

/** Markdown of a closed run; blanks at its ends stay outside of its marks. */
function markdownOf(run: Run, isInCode: boolean): string {
  const { name, text, done, href } = run;
  if (codeNames.has(name)) return isInCode ? done + text : done + codeSpan(text);
  const inner = text.trim();
  if (inner === "") return text === "" ? "" : " ";
  const before = /^\s/u.test(text) ? " " : "";
  const after = /\s$/u.test(text) ? " " : "";
  const wrapped = (start: string, end: string): string => `${before}${start}${inner}${end}${after}`;
  if (name === "a") {
    const shown = isInCode ? codeSpan(inner) : inner;
    return href === undefined
      ? `${before}${shown}${after}`
      : `${before}${link(shown, href)}${after}`;
  }
  if (isInCode) return text;
  if (name === "q") return wrapped('"', '"');
  if (name === "sup") return /^[\w+-]{1,4}$/u.test(inner) ? `${before}^${inner}${after}` : text;
  const mark = marks[name] ?? "";
  // Marks inside of marks of the same kind would end them.
  return inner.includes(mark) ? text : wrapped(mark, mark);
}

function link(text: string, href: string): string {
  if (text === href) return `<${href}>`;
  return `[${text.replaceAll("\n", " ")}](${/[\s()<>]/u.test(href) ? `<${href.replaceAll(/[<>\s]/gu, encodeURIComponent)}>` : href})`;
}

/** Code between as many backticks as it needs. */
function codeSpan(text: string): string {
  const inner = text.trim();
  if (inner === "") return text === "" ? "" : " ";
  const before = /^\s/u.test(text) ? " " : "";
  const after = /\s$/u.test(text) ? " " : "";
  if (!inner.includes("`")) return `${before}\`${inner}\`${after}`;
  const longest = Math.max(...Array.from(inner.matchAll(/`+/gu), ([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${before}${ticks} ${inner} ${ticks}${after}`;
}
