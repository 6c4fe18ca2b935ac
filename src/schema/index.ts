export { compileInput, type CompiledInput, type InputSource } from "./compile-input.ts";
export { parseInput, type ParsedInput, type ParseOptions } from "./parse-input.ts";
export { failureKey, repeatedFailureHint } from "./repeated-failure.ts";
export { toJsonSchema } from "./to-json-schema.ts";
export { validateInput, type Validated } from "./validate-input.ts";
