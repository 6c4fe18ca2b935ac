export { createdHere, createdTool } from "./created-tool.ts";
export { createdToolsOf, type CreatedStorage, type CreatedToolsPlace } from "./created-tools.ts";
export { Definition, exampleDefinition } from "./definition.ts";
export { effectsText } from "./describe.ts";
export {
  createdDirectory,
  foreignFile,
  readStored,
  readToolFiles,
  storedFiles,
  storedNames,
  writeStored,
  type StoredTool,
} from "./stored-tools.ts";
export { isExpected } from "./try-examples.ts";
