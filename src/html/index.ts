export { htmlToMarkdown, type HtmlPage, type HtmlOptions } from "./convert.ts";
export { htmlCharset } from "./charset.ts";
