export { createWeb, type WebOptions } from "./web.ts";
