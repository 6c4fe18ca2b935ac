import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "entities in both are undone",
    text: "if (a < b && c) {\n",
    old: "if (a &lt; b &amp;&amp; c) {",
    new: "if (a &gt; b &amp;&amp; c) {",
    result: "if (a > b && c) {\n",
  },
  {
    because: "entities are undone once",
    text: "a &lt; b && c\n",
    old: "a &amp;lt; b &amp;&amp; c",
    new: "a &amp;gt; b &amp;&amp; c",
    result: "a &gt; b && c\n",
  },
  {
    because: "and never twice",
    text: "a < b\n",
    old: "a &amp;lt; b",
    new: "a &amp;lt; c",
    result: undefined,
  },
  {
    because: "quotes have entities of several spellings",
    text: `f("a", 'b', 'c', 'd')\n`,
    old: "f(&quot;a&quot;, &#39;b&#39;, &apos;c&apos;, &#x27;d&#x27;)",
    new: "f(&#34;z&#34;)",
    result: 'f("z")\n',
  },
  {
    because: "the new text is plain",
    text: "a && b\n",
    old: "a &amp;&amp; b",
    new: "a && c",
    result: "a && c\n",
  },
  {
    because: "the new text has a character both ways",
    text: "a && b\n",
    old: "a &amp;&amp; b",
    new: "a && '&amp;'",
    result: undefined,
  },
  {
    because: "the new text has plain what the old one has as an entity",
    text: "a && b\n",
    old: "a &amp;&amp; b",
    new: "a && '&lt;'",
    result: undefined,
  },
  {
    because: "the file really has the entity",
    text: "<p>a &amp; b</p>\n",
    old: "a &amp; b",
    new: "a &amp; c",
    result: "<p>a &amp; c</p>\n",
  },
])("HTML entities: $because", check);
