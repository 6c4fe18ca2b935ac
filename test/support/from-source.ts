/** The flags before a program in TypeScript: the oldest supported Node reads it only with them, and warns. */
export const typeScriptFlags = ["--no-warnings", "--experimental-strip-types"] as const;

/** The flags before the text of a module that imports our source. */
export const moduleFlags = [...typeScriptFlags, "--input-type=module", "-e"] as const;
