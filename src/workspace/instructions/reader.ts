export { instructionPart } from "./instruction-text.ts";
export { readDirectoryInstructions, readInstructions } from "./read-instructions.ts";
