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
