import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "the block lost a line, and stands deeper elsewhere",
    text: "if (a) {\n  open_it(one);\n  close_it(one);\n}\n\n    open_it(one);\n    write_it(one, two);\n    close_it(one);\n",
    old: "  open_it(one);\n  write_it(one, two);\n  close_it(one);",
    new: "  open_it(one);\n  write_it(one, three);\n  close_it(one);",
    result: undefined,
  },
  {
    because: "most of the block was replaced",
    text: "    return value_of;\n    now_this(is, what, is, there);\n\nreturn value_of;\nfirst_of_all(some, thing, more);\n",
    old: "    return value_of;\n    first_of_all(some, thing, more);",
    new: "    return value_of;\n    first_of_all(some, thing);",
    result: undefined,
  },
  {
    because: "its only line was renamed",
    text: "  const first = openFile(path);\n}\n\tconst first = openOld(path);\n",
    old: "  const first = openOld(path);",
    new: "  const first = openNew(path);",
    result: undefined,
  },
  {
    because: "the edit was made already",
    text: "    entirely_other();\n}\n  call_it(one);\n",
    old: "    call_it(one);",
    new: "    entirely_other();",
    result: undefined,
  },
  {
    because: "its numbers end with a colon, behind which the first blank of the indentation stands",
    text: "    if (x) {\n        first(call);\n    }\n\n\tif (x) {\n\t    last(call);\n\t}\n",
    old: "1:    if (x) {\n2:        last(call);\n3:    }",
    new: "1:    if (x) {\n2:        next(call);\n3:    }",
    result: undefined,
  },
  {
    because: "its only line has a fence, and stands indented elsewhere",
    text: "DECLARE_ALL(MAC_DATUM)\n\n  DECLARE_ALL(MAC_DATA)\n",
    old: "```c\nDECLARE_ALL(MAC_DATA)\n```",
    new: "```c\nDECLARE_ALL(MAC_DATE)\n```",
    result: undefined,
  },
  {
    because: "what stands unindented in the block and elsewhere is no trace of it",
    text: "endif\nif x\n  call()\nendif\n",
    old: "if x\n\tcall()\nendif",
    new: "if x\n\tother()\nendif",
    result: "endif\nif x\n  other()\nendif\n",
  },
])("a block that has changed since: $because", check);
