import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installOnDemand } from "../../scripts/install-on-demand.ts";

/** Exports of a package outside the dependencies, so its types are not known. */
export type Loose = Record<string, (...values: unknown[]) => unknown> &
  Record<string, new (...values: unknown[]) => Loose>;

/** Versions that are compared. */
export const versions: Readonly<Record<string, string>> = {
  ai: "7.0.173",
  "@mastra/core": "1.71.0",
  "@openai/agents": "0.20.0",
  "@langchain/langgraph": "1.7.3",
  mcporter: "0.12.3",
  "@ai-sdk/mcp": "2.0.99",
  "@langchain/mcp-adapters": "1.1.4",
};

/** Loads a module of a package, or of a package that was installed with `installedWith`. */
export async function loadModule(specifier: string, installedWith?: string): Promise<Loose> {
  const parts = specifier.split("/");
  const depth = specifier.startsWith("@") ? 2 : 1;
  const name = parts.slice(0, depth).join("/");
  const sub = parts.slice(depth).join("/");
  const owner = installedWith ?? name;
  const installed = await installOnDemand({ name: owner, version: versions[owner] ?? "" });
  const modules = installed.slice(0, installed.length - path.normalize(owner).length);
  const folder = path.join(modules, name);
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    exports?: Record<string, unknown>;
  };
  const exported = manifest.exports?.[sub === "" ? "." : `./${sub}`];
  const entry = importEntry(exported ?? manifest.exports?.["./*"]).replace("*", sub);
  return (await import(pathToFileURL(path.join(folder, entry)).href)) as Loose;
}

function importEntry(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const conditions = entry as Record<string, unknown>;
  return importEntry(conditions["import"] ?? conditions["default"]);
}
