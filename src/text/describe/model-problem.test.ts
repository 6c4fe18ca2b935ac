import { expect, test } from "vitest";
import { modelProblem } from "./model-problem.ts";

const stream = () => [];

test.each([
  { id: "m", stream },
  { id: "", stream, more: true },
])("%j is a model", (model) => {
  expect(modelProblem(model)).toBeUndefined();
});

test.each([
  undefined,
  null,
  7,
  stream,
  {},
  { id: "m" },
  { stream },
  { id: 7, stream },
  { id: "m", stream: "text" },
])("%j is refused, and the error says what a model is", (model) => {
  expect(modelProblem(model)).toBe(
    "A run needs a model: an object with an id and a stream function.",
  );
});

test("the name of a model is not the model, and it is said how to load it", () => {
  expect(modelProblem("a/b")).toBe(
    'model is the text "a/b"; a run needs the model itself: await loadModel("a/b"), from haft/agent.',
  );
});
