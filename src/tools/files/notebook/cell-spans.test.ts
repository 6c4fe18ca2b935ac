import * as fc from "fast-check";
import { expect, test } from "vitest";
import { notebookSpans } from "./cell-spans.ts";

test("the spans are the cells, whatever they hold and however they are laid out", () => {
  const cell = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(
      fc.record({ before: fc.jsonValue(), cells: fc.array(cell), after: fc.jsonValue() }),
      fc.constantFrom("", " ", "\t"),
      (notebook, indent) => {
        const text = JSON.stringify(notebook, null, indent);

        const spans = notebookSpans(text);

        const parts = spans?.cells.map(({ start, end }): unknown =>
          JSON.parse(text.slice(start, end)),
        );
        expect(parts).toEqual(JSON.parse(JSON.stringify(notebook.cells)));
        const { start = 0, end = 0 } = spans?.array ?? {};
        expect(JSON.parse(text.slice(start, end))).toEqual(parts);
      },
    ),
  );
});

test.for([
  { why: "no object", text: "[]" },
  { why: "an end inside a string", text: '{"cells": [{"a": "b' },
  { why: "a backslash before the last quote", text: '{"cells": [{"a": "b\\"}]}' },
  { why: "cells that are not a list", text: '{"cells": {}}' },
  { why: "a list of something else", text: '{"cells": [1]}' },
  { why: "no value", text: '{"a": , "cells": []}' },
  { why: "endless nesting", text: `{"cells": [{"a": ${"[".repeat(100_000)}` },
])("$why has no cells", ({ text }) => {
  expect(notebookSpans(text)).toBeUndefined();
});
