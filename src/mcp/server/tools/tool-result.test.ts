import { expect, test } from "vitest";
import type { ContentPart, Outcome, RuleScope } from "../../../core/index.ts";
import { toolResult } from "./tool-result.ts";
import { metaKeys, type Era } from "../protocol/versions.ts";

const modern: Era = { kind: "modern" };
const legacy = (version: "2025-11-25" | "2025-06-18" | "2025-03-26" | "2024-11-05"): Era => ({
  kind: "legacy",
  version,
});

const text = (said: string): ContentPart => ({ type: "text", text: said });

function outcome(fields: Partial<Outcome> = {}): Outcome {
  return {
    id: "c1",
    tool: "Read",
    status: "ok",
    isError: false,
    content: [text("said")],
    text: "said",
    title: "Read a",
    summary: "1 line",
    metadata: {},
    trust: "trusted",
    effects: [],
    repairs: [],
    durationMs: 1,
    ...fields,
  };
}

test("a result carries what became of the call, for interfaces", () => {
  const result = toolResult(
    outcome({
      decision: {
        kind: "allow",
        rule: { rule: "Read(./**)", list: "allow", scope: "project" },
        reason: "A rule allows it.",
        trail: [{ verdict: "note", text: "long" }],
      },
      repairs: [{ path: "/limit", kind: "number", message: "limit was text." }],
      artifact: { path: "/store/1", chars: 9, lines: 1 },
      undo: { callId: "c1", level: "full" },
    }),
    modern,
    undefined,
  );

  expect(result).toEqual({
    content: [text("said")],
    isError: false,
    _meta: {
      [metaKeys.outcome]: {
        callId: "c1",
        tool: "Read",
        status: "ok",
        title: "Read a",
        summary: "1 line",
        trust: "trusted",
        decision: {
          kind: "allow",
          rule: { rule: "Read(./**)", list: "allow", scope: "project" },
          reason: "A rule allows it.",
        },
        repairs: [{ path: "/limit", kind: "number", message: "limit was text." }],
        artifact: { path: "/store/1", chars: 9, lines: 1 },
        undo: { callId: "c1", level: "full" },
      },
    },
  });
});

test("a failure is a result with its code, and never has structured content", () => {
  const error = {
    code: "INVALID_INPUT",
    type: "validation",
    message: "limit must be a number.",
    retryable: false,
  } as const;
  const result = toolResult(
    outcome({ status: "failed", isError: true, error, structuredContent: { a: 1 } }),
    modern,
    { type: "object" },
  );

  expect(result).toMatchObject({
    content: [text("said")],
    isError: true,
    _meta: { [metaKeys.outcome]: { status: "failed", error } },
  });
  expect(result).not.toHaveProperty("structuredContent");
});

test("a failure without content says its message and its next step", () => {
  const result = toolResult(
    outcome({
      content: [],
      isError: true,
      error: {
        code: "NOT_FOUND",
        type: "execution",
        message: "a is not there.",
        hint: "List the folder.",
        retryable: false,
      },
    }),
    modern,
    undefined,
  );

  expect(result).toMatchObject({ content: [text("a is not there. List the folder.")] });
});

const structuredContent = { sum: 5 };
const promised = { type: "object" };
const artifact = { path: "/store/1", chars: 9, lines: 1 };
const repairs = [{ path: "", kind: "x", message: "x." }];
const image: ContentPart = { type: "image", data: "AA==", mimeType: "image/png" };

test.for([
  { era: modern, schema: promised, fields: {}, isSent: true, because: "the schema promises it" },
  { era: modern, schema: undefined, fields: {}, isSent: true, because: "both say the same" },
  { era: legacy("2025-06-18"), schema: promised, fields: {}, isSent: true, because: "it is known" },
  {
    era: legacy("2025-03-26"),
    schema: undefined,
    fields: {},
    isSent: false,
    because: "the version has no structured content",
  },
  {
    era: legacy("2025-11-25"),
    schema: undefined,
    fields: { structuredContent: [5] },
    isSent: false,
    because: "the old era takes objects only",
  },
  {
    era: modern,
    schema: undefined,
    fields: { structuredContent: [5] },
    isSent: true,
    because: "the new era takes any value",
  },
  {
    era: modern,
    schema: undefined,
    fields: { artifact },
    isSent: false,
    because: "the text was cut, so this would go round the bound",
  },
  {
    era: modern,
    schema: undefined,
    fields: { repairs },
    isSent: false,
    because: "the text says what was repaired",
  },
  {
    era: modern,
    schema: undefined,
    fields: { content: [text("said"), image] },
    isSent: false,
    because: "the image is in the content alone",
  },
  {
    era: modern,
    schema: promised,
    fields: { artifact, repairs, content: [image] },
    isSent: true,
    because: "what a schema promises must come",
  },
])("structured content is sent ($isSent): $because", ({ era, schema, fields, isSent }) => {
  const result = toolResult(outcome({ structuredContent, ...fields }), era, schema);

  expect("structuredContent" in result).toBe(isSent);
  expect(result["isError"]).toBe(false);
});

test("structured content alone is said in text too", () => {
  const result = toolResult(outcome({ content: [], structuredContent }), modern, promised);

  expect(result).toMatchObject({ content: [text('{"sum":5}')], structuredContent });
});

test("a promised structure that is missing is said, and the text still arrives", () => {
  const result = toolResult(outcome(), modern, promised);

  expect(result).toMatchObject({
    isError: true,
    content: [
      text(
        "Read ran, but its answer has no structured form that fits its output schema. Its text follows.",
      ),
      text("said"),
    ],
  });
});

const audio: ContentPart = { type: "audio", data: "AA==", mimeType: "audio/wav" };
const link: ContentPart = { type: "resource_link", uri: "file:///a", name: "a" };

test.for([
  { part: audio, era: modern, sent: audio, because: "it is known" },
  { part: audio, era: legacy("2025-03-26"), sent: audio, because: "it is known" },
  {
    part: audio,
    era: legacy("2024-11-05"),
    sent: text("[audio audio/wav]"),
    because: "sound came later",
  },
  { part: link, era: legacy("2025-06-18"), sent: link, because: "it is known" },
  {
    part: link,
    era: legacy("2025-03-26"),
    sent: text("[resource file:///a]"),
    because: "links came later",
  },
  {
    part: link,
    era: legacy("2024-11-05"),
    sent: text("[resource file:///a]"),
    because: "links came later",
  },
  { part: image, era: legacy("2024-11-05"), sent: image, because: "images were always there" },
  {
    part: { type: "resource", resource: { uri: "a:b" } } as const,
    era: modern,
    sent: { type: "resource", resource: { uri: "a:b", text: "" } },
    because: "a resource has text or bytes",
  },
  {
    part: { type: "resource", resource: { uri: "a:b", blob: "AA==" } } as const,
    era: modern,
    sent: { type: "resource", resource: { uri: "a:b", blob: "AA==" } },
    because: "bytes are enough",
  },
])("a part of type $part.type is sent in a form the client knows: $because", (row) => {
  const { part, era, sent } = row;

  expect(toolResult(outcome({ content: [part] }), era, undefined)).toMatchObject({
    content: [sent],
  });
});

function refused(fields: {
  suggestion?: string;
  scope?: RuleScope;
  kind?: "write" | "unknown";
}): Outcome {
  const { suggestion, scope, kind = "write" } = fields;
  return outcome({
    status: "denied",
    isError: true,
    content: [text("Write needs approval.")],
    error: {
      code: "APPROVAL_REQUIRED",
      type: "permission",
      message: "Write needs approval.",
      retryable: false,
      ...(suggestion === undefined ? {} : { data: { suggestion } }),
    },
    decision: {
      kind: "ask",
      trail: [],
      ...(scope === undefined
        ? {}
        : { rule: { rule: "Write(./a)", list: "ask", scope, file: "/p/.haft/settings.json" } }),
    },
    effects:
      kind === "write"
        ? [{ kind, path: "/p/a", scope: "file", change: "modify" }]
        : [{ kind, because: "it is open", origin: "npm" }],
  });
}

function advice(refusal: Outcome): unknown {
  const { content } = toolResult(refusal, modern, undefined);
  return Array.isArray(content) ? content.at(-1) : undefined;
}

test("a question nobody can answer says which rule or mode would", () => {
  expect(advice(refused({ suggestion: "Write(./a)" }))).toMatchInlineSnapshot(`
    {
      "text": "This client cannot show permission questions. The user who runs the server can allow this call with the rule Write(./a) under permissions.allow, or by starting the server with --allow 'Write(./a)', or by starting the server with --mode acceptEdits.",
      "type": "text",
    }
  `);
  expect(advice(refused({}))).toMatchInlineSnapshot(`
    {
      "text": "This client cannot show permission questions. The user who runs the server can allow this call by starting the server with --mode acceptEdits.",
      "type": "text",
    }
  `);
  expect(advice(refused({ kind: "unknown", suggestion: "Bash(npm test)" }))).toMatchInlineSnapshot(`
    {
      "text": "This client cannot show permission questions. The user who runs the server can allow this call with the rule Bash(npm test) under permissions.allow, or by starting the server with --allow 'Bash(npm test)'.",
      "type": "text",
    }
  `);
});

test("where a person's own ask rule asks, no other rule is offered", () => {
  expect(advice(refused({ suggestion: "Write(./a)", scope: "project" }))).toMatchInlineSnapshot(`
    {
      "text": "This client cannot show permission questions. The ask rule Write(./a) (/p/.haft/settings.json) requires a user: this call runs only if the rule is changed.",
      "type": "text",
    }
  `);
});

test.for([
  {
    scope: "boundary",
    ways: "with the rule Write(/a) under permissions.allow, or by starting the server with --allow 'Write(/a)'.",
    because: "edits are accepted inside the workspace only",
  },
  {
    scope: "taint",
    ways: "with the rule Write(/a) under permissions.allow, or by starting the server with --allow 'Write(/a)'.",
    because: "no mode answers for untrusted content",
  },
  {
    scope: "built-in",
    ways: "with the rule Write(/a) under permissions.allow, or by starting the server with --allow 'Write(/a)', or by starting the server with --mode acceptEdits.",
    because: "an edit is asked about by default",
  },
] as const)("a question of scope $scope offers what answers it: $because", ({ scope, ways }) => {
  expect(advice(refused({ suggestion: "Write(/a)", scope }))).toEqual(
    text(
      `This client cannot show permission questions. The user who runs the server can allow this call ${ways}`,
    ),
  );
});

test("where neither a rule nor a mode is known, a rule is due", () => {
  expect(advice(refused({ scope: "taint" }))).toMatchObject({
    text: expect.stringMatching(/can allow this call with a rule that names it\.$/u),
  });
});

test("a refusal by a rule is left as it is", () => {
  const denied = outcome({
    status: "denied",
    isError: true,
    error: { code: "PERMISSION_DENIED", type: "permission", message: "No.", retryable: false },
  });

  expect(toolResult(denied, modern, undefined)["content"]).toEqual([text("said")]);
});
