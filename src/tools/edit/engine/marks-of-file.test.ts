import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

const text = "zero\none {\n  two\n}\nlast\n";
const changed = "zero\none {\n  other\n}\nlast\n";

test.for<EditCase>([
  {
    because:
      "the file has one line of the quotation as it was sent, so the other has changed since",
    text: "foo bar\nbaz qux\n\n> foo bar, changed\n> baz qux\n",
    old: "> foo bar\n> baz qux",
    new: "> foo bar\n> other",
    result: undefined,
  },
  {
    because: "both lines of the quotation have changed since",
    text: "> foo bar!\n> baz qux!\n\nfoo bar\nbaz qux\n",
    old: "> foo bar\n> baz qux",
    new: "> foo bar\n> other",
    result: undefined,
  },
  {
    because: "another quotation of the file says nothing",
    text: "> something else\n\nfoo bar\nbaz qux\n",
    old: "> foo bar\n> baz qux",
    new: "> foo bar\n> other",
    result: "> something else\n\nfoo bar\nother\n",
  },
  {
    because: "a line of the diff that stays stands elsewhere, too, without a mark",
    text: "ctx(a);\nold(b);\nmid();\nctx(a);\n",
    old: " ctx(a);\n-old(b);",
    new: " ctx(a);\n+other(b);",
    result: "ctx(a);\nother(b);\nmid();\nctx(a);\n",
  },
  {
    because: "one character behind the mark and a blank is a line of the file's own",
    text: "foo bar\nx\n\n> x\n",
    old: "> foo bar\n> x",
    new: "> foo bar\n> y",
    result: undefined,
  },
  {
    because: "an item of a list, deeper by now, is the line with its minus",
    text: "milk bottle\nbread loaf\n\nlist:\n  - milk bottle\n",
    old: "- milk bottle\n- bread loaf",
    new: "+ milk bottle\n+ bread roll",
    result: undefined,
  },
  {
    because: "the file escapes such characters itself",
    text: "a\\_b\nsee foo_bar here\n",
    old: "see foo\\_bar here",
    new: "see foo\\_bar there",
    result: undefined,
  },
  {
    because: "the file has such codes itself",
    text: "one = /[à-ÿ]/\ntwo = /[\\u00e0-\\u00ff]+/\n",
    old: "one = /[\\u00e0-\\u00ff]/",
    new: "one = /[\\u00e0-\\u00ff]+/",
    result: undefined,
  },
  {
    because: "the file has ^M itself",
    text: "bindkey ^M\nbindkey x\n",
    old: "bindkey x^M",
    new: "bindkey y^M",
    result: undefined,
  },
  {
    because: "a list that became plain text has other numbers than the lines",
    text: "Steps\n\nfoo one\nbar two\n",
    old: "1. foo one\n2. bar two",
    new: "1. foo one\n2. bar three",
    result: undefined,
  },
  {
    because: "a port is no number of a line",
    text: "services:\nvolume /data\n",
    old: "web:80:volume /data",
    new: "web:80:volume /other",
    result: undefined,
  },
  {
    because: "the numbers count from the line behind a break",
    text,
    old: "\n2. one {\n3.   two",
    new: "\n2. one {\n3.   other",
    result: changed,
  },
])("marks that may be the file's own: $because", (each) => {
  expect(edited(each)).toBe(each.result);
});

test.for<Omit<EditCase, "text">>([
  {
    because: "blanks stand in the place of a number",
    old: "     2  one {\n     3    two\n     4  }",
    new: "     2  one {\n          new\n     3    two\n     4  }",
    result: undefined,
  },
  {
    because: "only the separator stands before the added line",
    old: "     2\u2192one {\n     3\u2192  two\n     4\u2192}",
    new: "     2\u2192one {\n      \u2192  new\n     3\u2192  two\n     4\u2192}",
    result: undefined,
  },
  {
    because: "a plus stands in the place of a number",
    old: "2: one {\n3:   two\n4: }",
    new: "2: one {\n+:   new\n3:   two\n4: }",
    result: undefined,
  },
  {
    because: "a number with a letter is one of an added line",
    old: "2 one {\n3   two\n4 }",
    new: "2 one {\n3   two\n3a   new\n4 }",
    result: undefined,
  },
  {
    because: "the blanks of an added line are those of a number, or of its neighbour",
    old: "2 one {\n3   two\n4 }",
    new: "2 one {\n  new\n3   two\n4 }",
    result: undefined,
  },
  {
    because: "an added line has less blanks than a number and what is behind it",
    old: "     2  one {\n     3    two\n     4  }",
    new: "     2  one {\n  new\n     3    two\n     4  }",
    result: "zero\none {\n  new\n  two\n}\nlast\n",
  },
])("lines without a number among others: $because", (each) => {
  expect(edited({ ...each, text })).toBe(each.result);
});

test("an added line is indented as its neighbour, and no line as without the blanks of a number", () => {
  const deep = "one {\n    two\n    three\n";
  const edit = { old: "1 one {\n2     two", new: "1 one {\n    new\n2     two" };
  expect(edited({ because: "", text: deep, ...edit })).toBe("one {\n    new\n    two\n    three\n");
});

test.for<EditCase>([
  {
    because: "a blank stands behind each plus, and none behind the minus",
    text: "alpha\nbeta\n",
    old: " alpha\n-beta",
    new: " alpha\n+ gamma",
    result: undefined,
  },
  {
    because: "the file is indented by one blank",
    text: " alpha\n beta\n",
    old: "  alpha\n- beta",
    new: "  alpha\n+ gamma",
    result: " alpha\n gamma\n",
  },
  {
    because: "an added line is indented by two",
    text: "alpha\nbeta\n",
    old: " alpha\n beta",
    new: " alpha\n+  gamma\n beta",
    result: "alpha\n  gamma\nbeta\n",
  },
  {
    because: "signs of numbers are no marks",
    text: "value\n5\n",
    old: "-5",
    new: "+7",
    result: undefined,
  },
  {
    because: "backslashes before other characters than in the old text may be meant",
    text: "a_b = x\n",
    old: "a\\_b = x",
    new: "a\\_b = /\\*/",
    result: undefined,
  },
  {
    because: "the old text has such a character without a backslash, too",
    text: "a_b_c = x\n",
    old: "a\\_b_c = x",
    new: "a\\_b = x",
    result: undefined,
  },
  {
    because: "two backslashes are no code",
    text: "s = 'é'\n",
    old: "s = '\\u00e9'",
    new: "s = '\\\\u00e9'",
    result: undefined,
  },
  {
    because: "half of a pair is no character",
    text: "s = /é/\n",
    old: "s = /\\u00e9/",
    new: "s = /\\u00e9[\\ud800-\\udbff]/",
    result: undefined,
  },
  {
    because: "nobody types what turns a text around",
    text: "s = 'é'\n",
    old: "s = '\\u00e9'",
    new: "s = '\\u00e9\\u202e'",
    result: undefined,
  },
  {
    because: "a pair of codes is one character",
    text: "s = '\u{1F600}'\n",
    old: "s = '\\ud83d\\ude00'",
    new: "s = '\\ud83d\\ude01'",
    result: "s = '\u{1F601}'\n",
  },
])("new text that may be meant as it is: $because", (each) => {
  expect(edited(each)).toBe(each.result);
});

test.for<EditCase>([
  {
    because: "a line with the path of a search is no text, whatever other lines say",
    text: "if z:\n} x\n  3: y\n  end\n",
    old: "a.py:2:} x\na.py:3:  3: y\na.py:4:  end",
    new: "} x\n  3: y\na.py:4:  end2",
    result: undefined,
  },
  {
    because: "some lines have numbers of their own, and others those of the listing",
    text: "1. first\n  two\nlast\n",
    old: "1. 1. first\n2.   two\n3. last",
    new: "1. first\n  two\n3. other",
    result: undefined,
  },
  {
    because: "a number alone may be the text of its line",
    text: "one\n\nthree\n",
    old: "     1\tone\n     2\t\n     3\tthree",
    new: "     1\tone\n2\n     3\tthree",
    result: undefined,
  },
  {
    because: "the mark that is left may be that of a quotation in the file",
    text: "alpha one\n> beta two\n",
    old: "> alpha one\n> > beta two",
    new: "> alpha one\n> beta three",
    result: undefined,
  },
  {
    because: "a quotation in the file is kept",
    text: "alpha one\n> beta two\n",
    old: "> alpha one\n> > beta two",
    new: "> alpha three\n> > beta two",
    result: "alpha three\n> beta two\n",
  },
  {
    because: "new lines have blanks where the marks of a quotation were",
    text: "alpha one\nbeta two\n",
    old: "> alpha one\n> beta two",
    new: "  alpha one\n  beta three",
    result: undefined,
  },
  {
    because: "only added lines have the marks of a diff",
    text: "  alpha\n  beta\n",
    old: "   alpha\n   beta",
    new: "  alpha\n+ new\n  beta",
    result: undefined,
  },
  {
    because: "nothing but a plus shows a diff, and the file is indented otherwise",
    text: "\talpha\n\tbeta\n",
    old: "    alpha\n    beta",
    new: "    alpha\n+ new\n    beta",
    result: undefined,
  },
  {
    because: "one line alone, indented otherwise than the file, may have an operator before it",
    text: "x = (a\n     c\n)\n",
    old: "- c",
    new: "+ d",
    result: undefined,
  },
  {
    because: "one line alone has its indentation behind the minus",
    text: "x = (a\n     c\n)\n",
    old: "-     c",
    new: "+     d",
    result: "x = (a\n     d\n)\n",
  },
  {
    because: "two lines of a diff are indented otherwise than the file",
    text: "x = (\n  a +\n  c\n)\n",
    old: "-a +\n-c",
    new: "+a +\n+d",
    result: "x = (\n  a +\n  d\n)\n",
  },
  {
    because: "backticks are escaped in the old text, and another character in the new one",
    text: "`code` here\n",
    old: "\\`code\\` here",
    new: "`code` here\n\\# head",
    result: undefined,
  },
])("marks that are mixed: $because", (each) => {
  expect(edited(each)).toBe(each.result);
});

test("the line that stands with its mark is told", () => {
  const plan = planEdit("foo bar\nbaz qux\n\n> foo bar\n> baz\n", [
    { oldText: "> foo bar\n> baz qux", newText: "> foo bar\n> other" },
  ]);

  expect(plan).toMatchObject({ message: expect.stringContaining("with its mark at line 4") });
});
