import type { StandardSchemaV1 } from "@standard-schema/spec";

/** Whether an input is a Standard Schema (standardschema.dev). ArkType's are functions. */
export function isStandardSchema(input: unknown): input is StandardSchemaV1 {
  const isHolder = (typeof input === "object" && input !== null) || typeof input === "function";
  return isHolder && "~standard" in input;
}
