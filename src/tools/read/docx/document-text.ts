/**
 * Text of a Word document's main part: paragraphs as lines, headings marked, list items with a dash, table cells
 * between bars, deleted text omitted. One pass over the tags. Only the five entities of XML and numeric ones are
 * resolved, so that no document can expand while it is read.
 */
export function documentText(xml: string): string {
  const writer = new DocumentWriter();
  const tag = /<(\/?)([\w:]+)([^<>]*?)(\/?)>/gu;
  let textFrom = 0;
  for (let found = tag.exec(xml); found !== null; found = tag.exec(xml)) {
    const [whole, closing, name = "", attributes = "", empty] = found;
    if (closing === "/") {
      if (name === "w:t") writer.text(decoded(xml.slice(textFrom, found.index)));
      writer.close(name);
    } else {
      writer.open(name, attributes);
      if (empty === "/") writer.close(name);
      textFrom = found.index + whole.length;
    }
  }
  return writer.finish();
}

class DocumentWriter {
  readonly #lines: string[] = [];
  #line = "";
  #prefix = "";
  /** Cell texts of the current row, for each open table. */
  readonly #rows: string[][] = [];
  #deleted = 0;

  open(name: string, attributes: string): void {
    switch (name) {
      case "w:p":
        this.#prefix = "";
        break;
      case "w:pStyle":
        this.#prefix = headingPrefix(attributes) ?? this.#prefix;
        break;
      case "w:numPr":
        if (this.#prefix === "") this.#prefix = "- ";
        break;
      case "w:tab":
        // Tab stops of a style have positions; a tab in the text has none.
        if (!attributes.includes("w:pos")) this.text("\t");
        break;
      case "w:br":
      case "w:cr":
        this.text("\n");
        break;
      case "w:noBreakHyphen":
        this.text("-");
        break;
      case "w:del":
        this.#deleted++;
        break;
      case "w:tr":
        this.#rows.push([]);
        break;
      case "w:tc":
        this.#rows.at(-1)?.push("");
        break;
      case "w:drawing":
      case "w:pict":
        this.text("[picture]");
        break;
      default:
    }
  }

  close(name: string): void {
    if (name === "w:p") this.#endParagraph();
    if (name === "w:del") this.#deleted--;
    if (name === "w:tr") {
      const cells = this.#rows.pop() ?? [];
      this.#put(`| ${cells.map((cell) => cell.trim()).join(" | ")} |`);
    }
  }

  text(text: string): void {
    if (this.#deleted === 0) this.#line += text;
  }

  finish(): string {
    if (this.#line !== "") this.#endParagraph();
    return this.#lines
      .join("\n")
      .replaceAll(/\n{3,}/gu, "\n\n")
      .trim();
  }

  #endParagraph(): void {
    const line = this.#line === "" ? "" : this.#prefix + this.#line;
    this.#line = "";
    this.#put(line);
  }

  /** Writes a line to the open cell, otherwise as a line of its own. */
  #put(line: string): void {
    const row = this.#rows.at(-1);
    const last = (row?.length ?? 0) - 1;
    if (row === undefined || last < 0) this.#lines.push(line);
    else row[last] = `${row[last] ?? ""} ${line.replaceAll("\n", " ").replaceAll("|", "\\|")}`;
  }
}

function headingPrefix(attributes: string): string | undefined {
  const style = /w:val="([^"]*)"/u.exec(attributes)?.[1] ?? "";
  if (/^Title$/iu.test(style)) return "# ";
  const level = /^Heading ?([1-6])$/iu.exec(style)?.[1];
  if (level !== undefined) return `${"#".repeat(Number(level))} `;
  return /^List/iu.test(style) ? "- " : undefined;
}

const named: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/giu, (whole, entity: string) => {
    if (!entity.startsWith("#")) return named[entity] ?? whole;
    const point = Number(entity.replace(/^#x/iu, "0x").replace("#", ""));
    return point <= 0x10_ffff ? String.fromCodePoint(point) : "\uFFFD";
  });
}
