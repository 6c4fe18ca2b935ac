/** Attributes of an element, by lower-case name. */
export type Attributes = Readonly<Record<string, string>>;

/** Elements whose content is not text of the page. */
const silent: ReadonlySet<string> = new Set(
  "script style template noscript iframe object embed canvas svg head audio video map datalist select button input textarea dialog".split(
    " ",
  ),
);

/** Elements that begin and end a block of text. */
export const blockElements: ReadonlySet<string> = new Set(
  "html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul caption".split(
    " ",
  ),
);

/** Links from a heading to itself. */
const anchorClasses =
  /(?:^|\s)(?:headerlink|anchor-?link|permalink|hash-?link|heading-?link|anchorjs-link|header-anchor|doc-anchor)(?:\s|$)/u;

/** Numbers next to lines of code. */
const lineNumberClasses =
  /(?:^|\s)(?:linenos?|line-numbers?|lnt?|gutter|hljs-ln-numbers|blob-num|linenodiv)(?:\s|$)/u;

/** Classes and ids of parts around the content. */
const aroundNames =
  /(?:^|[\s_-])(?:nav|navbar|nav(?:header|footer|igation|links?)|sidebar|sphinxsidebar|breadcrumbs?|menu|toc|related|pagination|pager|cookies?|skip-?link|social|share|site-(?:header|footer|nav)|global-?nav|top-?bar|footer)(?:[\s_-]|$)/iu;

/** Whether an element and all in it is left out: it is not text, or it is not visible. */
export function isSilent(name: string, attributes: Attributes): boolean {
  if (silent.has(name)) return true;
  if ("hidden" in attributes || attributes["aria-hidden"] === "true") return true;
  const { style, class: classes } = attributes;
  if (style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/iu.test(style))
    return true;
  if (classes === undefined) return false;
  return lineNumberClasses.test(classes) || (name === "a" && anchorClasses.test(classes));
}

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

/** Language of code, as the classes of an element give it. */
export function languageOf({ class: classes, ...attributes }: Attributes): string | undefined {
  const named = attributes["data-lang"] ?? attributes["data-language"];
  if (named !== undefined && /^[\w+#.-]+$/u.test(named)) return named.toLowerCase();
  if (classes === undefined) return undefined;
  const found =
    /(?:^|\s)(?:language-|lang-|highlight-(?:source-)?|brush:\s*|sourceCode\s+)([\w+#.-]+)/u.exec(
      classes,
    )?.[1];
  return found === undefined || plainLanguages.has(found) ? undefined : found.toLowerCase();
}

const plainLanguages: ReadonlySet<string> = new Set([
  "default",
  "none",
  "text",
  "plaintext",
  "notranslate",
]);
