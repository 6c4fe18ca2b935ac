import { expect, test } from "vitest";
import { headerFault, paramHeaders } from "./param-headers.ts";

const declared = (name: unknown, type = "string") => ({ type, "x-mcp-header": name });

test.each([
  ["plain", "plain"],
  ["", "=?base64??="],
  [" x", "=?base64?IHg=?="],
  ["ä\r\nEvil: 1", "=?base64?w6QNCkV2aWw6IDE=?="],
  ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
])("the parameter %j becomes the header %s", (value, header) => {
  const schema = { properties: { a: { properties: { b: declared("Region") } } } };

  expect(paramHeaders(schema)?.({ a: { b: value } })).toEqual({ "Mcp-Param-Region": header });
});

test("values that are absent, inherited or objects give no header", () => {
  const schema = { properties: { constructor: declared("A"), b: declared("B") } };

  expect(paramHeaders(schema)?.({ b: {} })).toEqual({});
});

test("a schema that declares no header is not read again for each call", () => {
  expect(paramHeaders({ properties: { a: { type: "string" } } })).toBeUndefined();
});

test.each([
  [{ properties: { a: declared("a b") } }],
  [{ properties: { a: declared("a\r\nb") } }],
  [{ properties: { a: declared("A", "object") } }],
  [{ properties: { a: declared(5) } }],
  [{ properties: { a: { items: declared("A") } } }],
  [{ properties: { a: declared("A"), b: declared("a") } }],
])("a header that cannot be sent is a fault: %j", (schema) => {
  expect(headerFault(schema)).toMatch(/^it declares/u);
});

test("data is not read as a declaration", () => {
  expect(headerFault({ properties: { a: { default: declared("a b") } } })).toBeUndefined();
});
