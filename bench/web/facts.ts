import { parse, type DefaultTreeAdapterMap } from "parse5";

type Node = DefaultTreeAdapterMap["node"];

/** Kinds of facts that are counted. */
export const kinds = ["headings", "code", "cells", "links"] as const;

/** Facts of a page, by kind. */
export type Facts = Readonly<Record<(typeof kinds)[number], readonly string[]>>;

/** Text as it is compared: without blanks and marks of Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\s\\`*_~|¶#[\]]+/gu, "");
}

/** Number of the facts of each kind that the Markdown contains. */
export function keptOf(facts: Facts, markdown: string): Readonly<Record<keyof Facts, number>> {
  const text = plain(markdown.replaceAll(/\]\([^)]*\)/gu, "]"));
  const whole = plain(markdown);
  const count = (kind: keyof Facts): number =>
    facts[kind].filter((fact) => text.includes(fact) || whole.includes(fact)).length;
  return {
    headings: count("headings"),
    code: count("code"),
    cells: count("cells"),
    links: count("links"),
  };
}

/** Facts of the content: what surrounds it, such as menus, holds none. */
export function factsOf(html: string): Facts {
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
