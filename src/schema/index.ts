export { compileInput, type CompiledInput, type InputSource } from "./validate/compile-input.ts";
export { downLevel, type DownLevelled } from "./publish/down-level.ts";
export type { DroppedKeyword } from "./publish/lowering.ts";
export { maxInputDepth, plainInput, type PlainInput } from "./parse/plain-input.ts";
export { parseInput, type ParsedInput, type ParseOptions } from "./parse/parse-input.ts";
export { mapNames, sanitizeName, type NameMap } from "./publish/provider-name.ts";
export { failureKey, repeatedFailureHint } from "./validate/repeated-failure.ts";
export { toJsonSchema } from "./publish/to-json-schema.ts";
export { validateInput, type Validated } from "./validate/validate-input.ts";
