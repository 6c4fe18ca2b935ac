export { contentsAt, removePlugin, reviewPlugin } from "./install-plugin.ts";
