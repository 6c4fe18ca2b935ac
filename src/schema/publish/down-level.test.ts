import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../../core/index.ts";
import { compileInput } from "../validate/compile-input.ts";
import { downLevel, type DownLevelled } from "./down-level.ts";
import { validateInput } from "../validate/validate-input.ts";

const grep = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, description: "What to find." },
    "-i": { type: "boolean", default: false },
    limit: { type: "integer", exclusiveMinimum: 0, maximum: 100 },
    mode: { enum: ["content", "count"] },
    filter: { oneOf: [{ const: "all" }, { $ref: "#/$defs/glob", description: "A glob." }] },
    env: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["pattern"],
  $defs: { glob: { type: "string", pattern: "^(?!/)" } },
};

test("MCP takes a schema as it is", () => {
  expect(downLevel(grep, "mcp")).toEqual({ schema: grep, dropped: [], renamed: [] });
  expect(downLevel({ anyOf: [{ required: ["a"] }] }, "mcp")).toEqual({
    schema: { type: "object", anyOf: [{ required: ["a"] }] },
    dropped: [],
    renamed: [],
  });
});

test("OpenAI and Anthropic take all but a union at the top", () => {
  expect(downLevel(grep, "openai")).toEqual({ schema: grep, dropped: [], renamed: [] });
  expect(downLevel(grep, "anthropic")).toEqual({ schema: grep, dropped: [], renamed: [] });
});

test.for(["openai", "anthropic", "gemini"] as const)(
  "%s gets a union at the top as one object",
  (format) => {
    const schema = {
      description: "Either.",
      oneOf: [
        {
          type: "object",
          properties: { kind: { type: "string" }, a: { type: "integer" } },
          required: ["kind", "a"],
        },
        { $ref: "#/$defs/b" },
      ],
      $defs: {
        b: {
          type: "object",
          properties: { kind: { type: "string" }, b: { type: "integer" } },
          required: ["kind"],
        },
      },
    };

    expect(downLevel(schema, format)).toEqual({
      schema: {
        type: "object",
        description: "Either.",
        $defs: schema.$defs,
        properties: { kind: { type: "string" }, b: { type: "integer" }, a: { type: "integer" } },
        required: ["kind"],
      },
      dropped: [{ path: "", keyword: "oneOf" }],
      renamed: [],
    });
  },
);

function shown({ schema, dropped }: DownLevelled): string {
  const { properties, ...rest } = schema;
  const lines = Object.entries(Object(properties)).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  );
  const lost = dropped.map(({ path, keyword }) => `lost ${path} ${keyword}`);
  return [...lines, JSON.stringify(rest), ...lost].join("\n");
}

test("OpenAI's strict form requires every key, closes every object and drops what it has no word for", () => {
  expect(shown(downLevel(grep, "openai", { strict: true }))).toMatchInlineSnapshot(`
    "pattern: {"type":"string","description":"What to find. (minLength: 1)"}
    -i: {"type":["boolean","null"],"description":"(default: false)"}
    limit: {"type":["integer","null"],"maximum":100,"exclusiveMinimum":0}
    mode: {"anyOf":[{"enum":["content","count"]},{"type":"null"}]}
    filter: {"anyOf":[{"anyOf":[{"const":"all"},{"$ref":"#/$defs/glob"}]},{"type":"null"}]}
    env: {"type":["object","null"],"additionalProperties":false,"properties":{},"required":[]}
    {"type":"object","required":["pattern","-i","limit","mode","filter","env"],"$defs":{"glob":{"type":"string","description":"(pattern: \\"^(?!/)\\")"}},"additionalProperties":false}
    lost /properties/pattern minLength
    lost /properties/-i default
    lost /properties/filter oneOf
    lost /properties/filter/anyOf/1 description
    lost /properties/env additionalProperties
    lost /$defs/glob pattern"
  `);
});

test("Anthropic's strict form closes objects and drops limits", () => {
  expect(shown(downLevel(grep, "anthropic", { strict: true }))).toMatchInlineSnapshot(`
    "pattern: {"type":"string","description":"What to find. (minLength: 1)"}
    -i: {"type":"boolean","default":false}
    limit: {"type":"integer","description":"(maximum: 100, minimum: 1)"}
    mode: {"enum":["content","count"]}
    filter: {"anyOf":[{"const":"all"},{"$ref":"#/$defs/glob"}]}
    env: {"type":"object","additionalProperties":false,"properties":{}}
    {"type":"object","required":["pattern"],"$defs":{"glob":{"type":"string","description":"(pattern: \\"^(?!/)\\")"}},"additionalProperties":false}
    lost /properties/pattern minLength
    lost /properties/limit maximum
    lost /properties/limit minimum
    lost /properties/filter oneOf
    lost /properties/filter/anyOf/1 description
    lost /properties/env additionalProperties
    lost /$defs/glob pattern"
  `);
});

test("Gemini takes its subset, and names it can spell", () => {
  expect(shown(downLevel(grep, "gemini"))).toMatchInlineSnapshot(`
    "pattern: {"type":"string","description":"What to find. (minLength: 1)"}
    _i: {"type":"boolean","description":"(default: false)"}
    limit: {"type":"integer","maximum":100,"minimum":1}
    mode: {"enum":["content","count"]}
    filter: {"oneOf":[{"enum":["all"]},{"$ref":"#/$defs/glob"}]}
    env: {"type":"object","additionalProperties":{"type":"string"}}
    {"type":"object","required":["pattern"],"$defs":{"glob":{"type":"string","description":"(pattern: \\"^(?!/)\\")"}}}
    lost /properties/pattern minLength
    lost /properties/-i default
    lost /properties/filter/oneOf/1 description
    lost /$defs/glob pattern"
  `);
});

test("a name that cannot be led back is dropped, and told", () => {
  const schema = {
    type: "object",
    properties: {
      "a.b": { type: "string" },
      ab: { type: "string" },
      é: { type: "string" },
      "1x": { type: "string" },
    },
    required: ["a.b"],
  };

  expect(downLevel(schema, "gemini")).toEqual({
    schema: { type: "object", properties: { ab: { type: "string" } }, required: [] },
    dropped: [
      { path: "/properties/a.b", keyword: "properties" },
      { path: "/properties/é", keyword: "properties" },
      { path: "/properties/1x", keyword: "properties" },
    ],
    renamed: [],
  });
  expect(downLevel({ type: "object", properties: { "a b": {} } }, "anthropic")).toMatchObject({
    schema: { properties: { a_b: {} } },
    dropped: [],
    renamed: [{ path: "/properties/a b", name: "a_b" }],
  });
});

test("what a model sends by the lowered schema fits the declared one", () => {
  const compiled = compileInput({ name: "Grep", input: grep });

  expect(validateInput(compiled, { pattern: "x", _i: true })).toMatchObject({
    ok: true,
    value: { "-i": true },
  });
  expect(
    validateInput(compiled, {
      pattern: "x",
      "-i": null,
      limit: null,
      mode: null,
      filter: null,
      env: null,
    }),
  ).toMatchObject({
    ok: true,
    value: { pattern: "x", "-i": false },
  });
});

test("optional inputs take null in a strict form, whatever their type", () => {
  const schema = {
    type: "object",
    properties: {
      one: { type: "integer" },
      two: { type: ["string", "integer"] },
      nullable: { type: ["string", "null"], enum: ["a", null] },
      choice: { type: "string", enum: ["a"] },
      fixed: { type: "string", const: "a" },
      any: {},
      must: { type: "integer" },
    },
    required: ["must"],
  };

  expect(downLevel(schema, "openai", { strict: true }).schema).toMatchObject({
    properties: {
      one: { type: ["integer", "null"] },
      two: { type: ["string", "integer", "null"] },
      nullable: { type: ["string", "null"], enum: ["a", null] },
      choice: { type: ["string", "null"], enum: ["a", null] },
      fixed: { anyOf: [{ type: "string", const: "a" }, { type: "null" }] },
      any: { anyOf: [{}, { type: "null" }] },
      must: { type: "integer" },
    },
    required: ["one", "two", "nullable", "choice", "fixed", "any", "must"],
  });
});

const property = (schema: JsonSchema) =>
  downLevel({ type: "object", properties: { p: schema } }, "gemini");

test("words of another dialect are said in the provider's own where they can be", () => {
  expect(property({ const: 1 }).schema).toMatchObject({ properties: { p: { enum: [1] } } });
  expect(property({ type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 10 })).toEqual({
    schema: { type: "object", properties: { p: { type: "integer", minimum: 1, maximum: 9 } } },
    dropped: [],
    renamed: [],
  });
  expect(property({ type: "number", exclusiveMinimum: 0 })).toEqual({
    schema: {
      type: "object",
      properties: { p: { type: "number", description: "(exclusiveMinimum: 0)" } },
    },
    dropped: [{ path: "/properties/p", keyword: "exclusiveMinimum" }],
    renamed: [],
  });
  expect(property({ allOf: [{ type: "string" }, { minLength: 1 }] })).toEqual({
    schema: {
      type: "object",
      properties: { p: { type: "string", description: "(minLength: 1)" } },
    },
    dropped: [{ path: "/properties/p", keyword: "minLength" }],
    renamed: [],
  });
  const tuple = { type: "array", prefixItems: [{ type: "integer" }, { type: "string" }] };
  expect(property(tuple)).toEqual({
    schema: { type: "object", properties: { p: tuple } },
    dropped: [],
    renamed: [],
  });
  expect(
    downLevel({ type: "object", properties: { p: tuple }, required: ["p"] }, "openai", {
      strict: true,
    }),
  ).toMatchObject({
    schema: { properties: { p: { type: "array", items: { anyOf: tuple.prefixItems } } } },
    dropped: [{ path: "/properties/p", keyword: "prefixItems" }],
  });
});

test("definitions under their older name are found under the newer one", () => {
  const schema = {
    type: "object",
    properties: { p: { $ref: "#/definitions/word" } },
    definitions: { word: { type: "string", minLength: 1 } },
  };

  expect(downLevel(schema, "gemini").schema).toEqual({
    type: "object",
    properties: { p: { $ref: "#/$defs/word" } },
    $defs: { word: { type: "string", description: "(minLength: 1)" } },
  });
  expect(downLevel(schema, "openai").schema).toEqual(schema);
});

test("the same schema gives the same bytes, and is not changed", () => {
  const before = JSON.stringify(grep);
  for (const format of ["openai", "anthropic", "gemini", "mcp"] as const) {
    for (const strict of [true, false]) {
      expect(JSON.stringify(downLevel(grep, format, { strict }))).toBe(
        JSON.stringify(downLevel(grep, format, { strict })),
      );
    }
  }
  expect(JSON.stringify(grep)).toBe(before);
});

test("every object of a strict schema is closed and every key required, for any schema", () => {
  const anySchema = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom({ type: "string" }, { type: "object" }, { const: 1 }, {}),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
      }),
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    ),
  })).schema;
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("a", "b"), anySchema), (properties) => {
      const { schema } = downLevel({ type: "object", properties }, "openai", { strict: true });
      JSON.parse(JSON.stringify(schema), function check(_key, value: unknown) {
        if (
          typeof value === "object" &&
          value !== null &&
          Reflect.get(value, "type") === "object"
        ) {
          expect(value).toMatchObject({ additionalProperties: false });
          expect(Reflect.get(value, "required")).toEqual(
            Object.keys(Object(Reflect.get(value, "properties"))),
          );
        }
        return value;
      });
    }),
  );
});

test("strict OpenAI: an open object is reported only where its keys are lost", () => {
  const named = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
  const schema = {
    type: "object",
    properties: { named, map: { type: "object" } },
    required: ["named", "map"],
  };

  const { dropped } = downLevel(schema, "openai", { strict: true });

  expect(dropped).toEqual([{ path: "/properties/map", keyword: "additionalProperties" }]);
  expect(downLevel({ type: "object" }, "openai", { strict: true }).dropped).toEqual([]);
});
