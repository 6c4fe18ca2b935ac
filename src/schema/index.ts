export { compileInput, type CompiledInput, type InputSource } from "./compile-input.ts";
export { downLevel, type DownLevelled } from "./down-level.ts";
export type { DroppedKeyword } from "./lowering.ts";
export { maxInputDepth, plainInput, type PlainInput } from "./plain-input.ts";
export { parseInput, type ParsedInput, type ParseOptions } from "./parse-input.ts";
export { mapNames, sanitizeName, type NameMap } from "./provider-name.ts";
export { failureKey, repeatedFailureHint } from "./repeated-failure.ts";
export { toJsonSchema } from "./to-json-schema.ts";
export { validateInput, type Validated } from "./validate-input.ts";
