import { expectTypeOf } from "vitest";
import type { ErrorCode, ErrorInfo, HaftEvent, InputIssue, Outcome } from "../../src/index.ts";

declare const outcome: Outcome;
declare const event: HaftEvent;

const { error } = outcome;

// A comparison of the code narrows the facts.
if (error?.code === "INVALID_INPUT")
  expectTypeOf(error.data?.issues).toEqualTypeOf<readonly InputIssue[] | undefined>();
if (error?.code === "AMBIGUOUS_MATCH")
  expectTypeOf(error.data?.lines).toEqualTypeOf<readonly number[] | undefined>();
if (error?.code === "COMMAND_FAILED")
  expectTypeOf(error.data?.exitCode).toEqualTypeOf<number | null | undefined>();
// @ts-expect-error Without the code, a fact has no type.
const lines: readonly number[] | undefined = error?.data?.["lines"];
expectTypeOf(lines).toBeNullable();

// The same holds in an event, and for every code.
if (event.type === "call-end" && event.outcome.error?.code === "TIMEOUT")
  expectTypeOf(event.outcome.error.data?.timeoutMs).toEqualTypeOf<number | undefined>();
expectTypeOf<ErrorInfo["code"]>().toEqualTypeOf<ErrorCode>();
expectTypeOf<
  {
    [C in ErrorCode]: [Extract<ErrorInfo, { readonly code: C }>] extends [never] ? C : never;
  }[ErrorCode]
>().toBeNever();
