import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { installOnDemand } from "../../scripts/install-on-demand.ts";
import { peers } from "./peers.ts";
import type { Loose } from "./subject.ts";

/** The folder of an installed peer. */
export async function peerFolder(subject: string): Promise<string> {
  const peer = peers.get(subject);
  if (peer === undefined) throw new TypeError(`${subject} is not in the list of peers.`);
  return installOnDemand(peer);
}

/** Exports of a peer's main entry. */
export async function loadPeer(subject: string): Promise<Loose> {
  const folder = await peerFolder(subject);
  const text = readFileSync(path.join(folder, "package.json"), "utf8");
  const { main = "index.js" } = JSON.parse(text) as { readonly main?: string };
  return (await import(pathToFileURL(path.join(folder, main)).href)) as Loose;
}

/** The texts of a result in the form most tools share: `{content: [{type: "text", text}]}`. */
export function textOf(result: unknown): string {
  const { content, isError } = result as {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
  };
  const text = (content ?? []).map((part) => part.text ?? "").join("\n");
  if (isError === true) throw new Error(text);
  return text;
}
