import { compileInput, type InputSource } from "./compile-input.ts";
import type { Validated } from "./validate-input.ts";

/** Validates a value against a schema that is used once. What validates it is loaded on first use. */
export async function validateOnce(source: InputSource, value: unknown): Promise<Validated> {
  const { validateInput } = await import("./validate-input.ts");
  return await validateInput(compileInput(source), value);
}
