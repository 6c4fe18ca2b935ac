import type { Attributes } from "./elements.ts";

/** Classes and ids of parts around the content. */
const aroundNames =
  /(?:^|[\s_-])(?:nav|navbar|nav(?:header|footer|igation|links?)|sidebar|sphinxsidebar|breadcrumbs?|menu|toc|related|pagination|pager|cookies?|skip-?link|social|share|site-(?:header|footer|nav)|global-?nav|top-?bar|footer)(?:[\s_-]|$)/iu;

/**
 * Part of a page: "main" holds its content, "around" leads to other pages, and "edge" may be either, so that its text
 * decides.
 */
export type Part = "main" | "article" | "around" | "edge";

/** Part that an element begins; undefined for one that begins none. */
export function partOf(name: string, attributes: Attributes): Part | undefined {
  const { role, class: classes, id } = attributes;
  if (name === "main" || role === "main") return "main";
  if (name === "article") return "article";
  if (name === "nav" || role === "navigation" || role === "search") return "around";
  if (role === "banner" || role === "contentinfo") return "edge";
  if (name === "footer" || name === "header" || name === "aside") return "edge";
  if (name !== "div" && name !== "ul" && name !== "section" && name !== "table") return undefined;
  if (classes !== undefined && aroundNames.test(classes)) return "edge";
  return id !== undefined && aroundNames.test(id) ? "edge" : undefined;
}

/** Whether a part leads to other pages instead of holding text: most of it is links, or it is short and at the edge. */
export function leadsElsewhere(
  part: Part,
  {
    text,
    chars,
    linkChars,
    isInMain,
  }: {
    readonly text: string;
    readonly chars: number;
    readonly linkChars: number;
    readonly isInMain: boolean;
  },
): boolean {
  if (text.includes("```") || /^# /mu.test(text)) return false;
  if (part === "around") return !isInMain || linkChars * 2 > chars;
  return isInMain ? linkChars * 3 > chars * 2 : linkChars * 2 > chars || chars < 200;
}

/** The title as the first heading, unless the text begins with a heading that says it. */
export function withTitle(title: string, body: string): string {
  if (title === "") return body;
  const [, first = ""] = /^# (.+)$/mu.exec(body.slice(0, 2000)) ?? [];
  const heading = lettersOf(first);
  if (heading !== "" && (lettersOf(title).includes(heading) || heading.includes(lettersOf(title))))
    return body;
  return body === "" ? `# ${title}` : `# ${title}\n\n${body}`;
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
}

/** Absolute address of a link; undefined for one that no reader can open, such as a script. */
export function resolved(href: string, base: string | undefined): string | undefined {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined;
  if (url === undefined) return base === undefined && !/^\w+:/u.test(href) ? href : undefined;
  return url.protocol === "http:" ||
    url.protocol === "https:" ||
    url.protocol === "mailto:" ||
    url.protocol === "file:"
    ? url.href
    : undefined;
}
