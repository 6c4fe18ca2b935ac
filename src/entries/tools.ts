/** Entry `haft/tools`: the built-in tools. */
export { builtInListings, builtInTools } from "../tools/index.ts";
export { searchVariables } from "../core/index.ts";
