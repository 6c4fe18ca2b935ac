import * as fc from "fast-check";
import { expect, test } from "vitest";
import { htmlToMarkdown } from "./index.ts";

const url = "https://docs.example.org/guide/page.html";

async function markdownOf(html: string): Promise<string> {
  return (await htmlToMarkdown(html, { url })).markdown;
}

const cases = [
  {
    html: "<p>a  <b>bold</b>, <i>slanted</i>\n text</p>",
    is: "a **bold**, *slanted* text",
    because: "blanks are one",
  },
  { html: "<p>one<p>two", is: "one\n\ntwo", because: "ends of paragraphs may be missing" },
  { html: "<ul><li>a<li>b<ul><li>c</ul></ul>", is: "- a\n- b\n  - c", because: "lists are nested" },
  {
    html: "<ol start=3><li>a<li>b</ol>",
    is: "3. a\n4. b",
    because: "numbers begin where they say",
  },
  {
    html: "<ul><li><p>a</p><pre>x\n y</pre></ul>",
    is: "- a\n\n  ```\n  x\n   y\n  ```",
    because: "code in an item",
  },
  {
    html: "<h2>A <code>b</code><a class=headerlink href=#a>¶</a></h2>",
    is: "## A `b`",
    because: "links of headings to themselves",
  },
  {
    html: "<p><a href='../x.html#y'>x</a>",
    is: "[x](https://docs.example.org/x.html#y)",
    because: "links are absolute",
  },
  {
    html: "<p><a href='#y'>x</a> <a href='page.html#z'>z</a>",
    is: "x z",
    because: "links within the page are text",
  },
  {
    html: "<p><a href='javascript:go()'>x</a>",
    is: "x",
    because: "an address that runs a script is left out",
  },
  {
    html: "<p><code>f(<a href=t.html>T</a>)</code>",
    is: "`f(`[`T`](https://docs.example.org/guide/t.html)`)`",
    because: "links in code",
  },
  { html: "<p><code>a`b</code>", is: "`` a`b ``", because: "backticks in code" },
  { html: "<pre>```\nx\n```</pre>", is: "````\n```\nx\n```\n````", because: "fences in code" },
  {
    html: "<div class='highlight-python'><div><pre><span>a</span> = 1\n\n  b</pre></div></div>",
    is: "```python\na = 1\n\n  b\n```",
    because: "blanks and languages of code",
  },
  {
    html: "<pre><div>a</div><div>b</div></pre>",
    is: "```\na\nb\n```",
    because: "an element for each line",
  },
  {
    html: "<table><tr><td class=linenos><pre>1\n2</pre><td><pre>a\nb</pre></table>",
    is: "```\na\nb\n```",
    because: "numbers of lines are left out",
  },
  {
    html: "<table><tr><th>a<th>b<tr><td colspan=2>c</table>",
    is: "| a | b |\n| --- | --- |\n| c |  |",
    because: "wide cells",
  },
  {
    html: "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>",
    is: "| a | b |\n| --- | --- |\n|  | c |",
    because: "high cells",
  },
  {
    html: "<table><tr><td>a<td><p>b<p>c</table>",
    is: "| a | b<br>c |\n| --- | --- |",
    because: "paragraphs in cells",
  },
  {
    html: "<table><tr><td><h2>x</h2><td>y</table>",
    is: "## x\n\ny",
    because: "a table for the layout",
  },
  { html: "<blockquote><p>a<p>b</blockquote>", is: "> a\n>\n> b", because: "quotes" },
  { html: "<dl><dt>term<dd>meaning</dl>", is: "**term**\n\nmeaning", because: "terms" },
  {
    html: "<p>&lt;b&gt; &amp;amp; &#x41;&nbsp;&copy;",
    is: "<b> &amp; A\u00A0©",
    because: "entities are decoded once",
  },
  {
    html: "a<script>b</script><style>c</style><template>d</template>e",
    is: "ae",
    because: "scripts and styles are left out",
  },
  {
    html: "<p>a<p style='display: none'>b<p aria-hidden=true>c<p hidden>d",
    is: "a",
    because: "hidden text is left out",
  },
  { html: "<b><p>a</p><p>b</p></b>", is: "**a**\n\n**b**", because: "marks across blocks" },
  {
    html: "<p><img alt='A cat' src=c.png><img src=d.png>",
    is: "![A cat](https://docs.example.org/guide/c.png)",
    because: "images have their text",
  },
  { html: "<title>T</title><p>x", is: "# T\n\nx", because: "the title is first" },
  {
    html: "<title>T – Site</title><h1>T</h1><p>x",
    is: "# T\n\nx",
    because: "the title is not repeated",
  },
  {
    html: "<base href=https://other.example/><p><a href=x>x</a>",
    is: "[x](https://other.example/x)",
    because: "a base",
  },
  {
    html: "<nav><a href=/a>Away</a></nav><p>text</p>",
    is: "text",
    because: "menus lead elsewhere",
  },
  { html: "", is: "", because: "nothing" },
];

test.each(cases)("$html: $because", async ({ html, is }) => {
  expect(await markdownOf(html)).toBe(is);
});

test("the main part is the page where it holds most of the text", async () => {
  const text = "Words of the page. ".repeat(40);
  const html = `<div>Elsewhere</div><main><h1>Title</h1><p>${text}</p></main><footer>Also elsewhere</footer>`;

  expect(await markdownOf(html)).toBe(`# Title\n\n${text.trim()}`);
});

test("50 MB of nesting are cut at the depth that pages never have", async () => {
  const { isCut, markdown } = await htmlToMarkdown(`<p>start</p>${"<div>".repeat(10_000_000)}end`);

  expect(isCut).toBe(true);
  expect(markdown).toBe("start");
});

test("any text is converted, without an error and without an end of nesting", async () => {
  const piece = fc.constantFrom(
    "<p>",
    "</p>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<ul>",
    "<li>",
    "</ul>",
    "<pre>",
    "</pre>",
    "<a href=x>",
    "</a>",
    "<code>",
    "</code>",
    "<main>",
    "</main>",
    "<svg>",
    "<title>",
    "text ",
    "<!--",
    "-->",
    "&amp;",
    "<",
    '"',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      const { markdown } = await htmlToMarkdown(pieces.join(""));
      expect(typeof markdown).toBe("string");
    }),
  );
});

test("text that is shown is never lost", async () => {
  const wrap = fc.constantFrom(
    "p",
    "div",
    "li",
    "td",
    "b",
    "code",
    "pre",
    "blockquote",
    "h2",
    "dd",
    "span",
    "figure",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(wrap, { minLength: 1, maxLength: 8 }), async (names) => {
      const html = names.reduce((inner, name) => `<${name}>${inner}</${name}>`, "word");
      expect(await markdownOf(`<body>${html}</body>`)).toContain("word");
    }),
  );
});
