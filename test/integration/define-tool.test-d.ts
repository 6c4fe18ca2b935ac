import { type } from "arktype";
import * as valibot from "valibot";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  createToolkit,
  defineTool,
  type Answer,
  type Ask,
  type InitContext,
  type LazyTool,
  type Outcome,
  type Tool,
} from "../../src/index.ts";

const result = { content: "" };

expectTypeOf(
  defineTool({
    name: "Zod",
    description: "d",
    touches: ["read"],
    input: z.object({ seconds: z.coerce.number().default(1), tag: z.string().optional() }),
    effects(input) {
      expectTypeOf(input).toEqualTypeOf<{ seconds: number; tag?: string | undefined }>();
      return [{ kind: "read", path: "x", scope: "file" }];
    },
    signature: (input) => `wait ${input.seconds.toFixed()}`,
    suggestRule(input) {
      expectTypeOf(input.seconds).toEqualTypeOf<number>();
      return undefined;
    },
    async run(input, context) {
      expectTypeOf(input).toEqualTypeOf<{ seconds: number; tag?: string | undefined }>();
      expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
      return result;
    },
    async preview(input) {
      expectTypeOf(input.seconds).toEqualTypeOf<number>();
      return { summary: "" };
    },
  }),
).toEqualTypeOf<Tool>();

defineTool({
  name: "Arktype",
  description: "d",
  touches: [],
  input: type({ name: "string", "count?": "number" }),
  run(input) {
    expectTypeOf(input).toEqualTypeOf<{ name: string; count?: number }>();
    return result;
  },
});

defineTool({
  name: "Valibot",
  description: "d",
  touches: [],
  input: valibot.object({ name: valibot.string(), count: valibot.optional(valibot.number(), 2) }),
  run(input) {
    expectTypeOf(input).toEqualTypeOf<{ name: string; count: number }>();
    return result;
  },
});

defineTool({
  name: "Pair",
  description: "d",
  touches: [],
  input: { schema: z.object({ name: z.string() }), jsonSchema: { type: "object" } },
  run(input) {
    expectTypeOf(input).toEqualTypeOf<{ name: string }>();
    return result;
  },
});

defineTool({
  name: "Plain",
  description: "d",
  touches: [],
  input: { type: "object", properties: { name: { type: "string" } } },
  run(input) {
    expectTypeOf(input).toEqualTypeOf<Readonly<Record<string, unknown>>>();
    return result;
  },
});

expectTypeOf(
  defineTool({
    name: "Lazy",
    touches: ["read"],
    async init(context: InitContext) {
      expectTypeOf(context.workspace).toEqualTypeOf<string>();
      return {
        description: "d",
        input: z.object({ name: z.string() }),
        run(input) {
          expectTypeOf(input).toEqualTypeOf<{ name: string }>();
          return { content: input.name };
        },
      };
    },
  }),
).toEqualTypeOf<LazyTool>();

defineTool({
  name: "Bad",
  description: "d",
  // @ts-expect-error an effect kind there is none of
  touches: ["fly"],
  input: z.object({}),
  run: () => result,
});

defineTool({
  name: "Bad",
  // @ts-expect-error run must answer content
  description: "d",
  touches: [],
  input: z.object({}),
  run: () => ({ text: "" }),
});

expectTypeOf(createToolkit).parameter(0).exclude(undefined).toHaveProperty("onAsk");
expectTypeOf<Outcome["status"]>().toEqualTypeOf<"ok" | "failed" | "denied" | "aborted">();
expectTypeOf<Answer["kind"]>().toEqualTypeOf<
  "once" | "answer" | "save" | "deny" | "deny-all" | "edit" | "abort"
>();
expectTypeOf<Ask["suggestion"]>().toEqualTypeOf<string | undefined>();
