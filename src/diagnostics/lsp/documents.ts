import { ToolError, type HostFs } from "../../core/index.ts";
import { languageOf } from "./known-servers.ts";
import { uriOf } from "./uri.ts";

/** Maximum number of documents that a server keeps open. */
const maxOpen = 16;
/** Maximum bytes of a file that is checked. */
export const maxFileBytes = 1_000_000;

interface OpenDocument {
  readonly version: number;
  readonly text: string;
}

/** Documents that are open in a server. The server believes these texts, so they must be those of the files. */
export class OpenDocuments {
  readonly #notify: (method: string, params: unknown) => void;
  readonly #open = new Map<string, OpenDocument>();
  /** Never decreases, so that an answer for an earlier opening cannot be taken for a later one. */
  #version = 0;

  constructor(notify: (method: string, params: unknown) => void) {
    this.#notify = notify;
  }

  /** Version of the text that the server has. */
  versionOf(path: string): number | undefined {
    return this.#open.get(path)?.version;
  }

  textOf(path: string): string | undefined {
    return this.#open.get(path)?.text;
  }

  /** Gives the server the text of a file. */
  set(path: string, text: string): void {
    const known = this.#open.get(path);
    if (known?.text === text) {
      this.#open.delete(path);
      this.#open.set(path, known);
      return;
    }
    this.#version += 1;
    const version = this.#version;
    const uri = uriOf(path);
    this.#open.delete(path);
    this.#open.set(path, { version, text });
    if (known === undefined) {
      const textDocument = { uri, languageId: languageOf(path), version, text };
      this.#notify("textDocument/didOpen", { textDocument });
    } else {
      const textDocument = { uri, version };
      this.#notify("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    }
    for (const [oldest] of this.#open) {
      if (this.#open.size <= maxOpen) break;
      this.close(oldest);
    }
  }

  close(path: string): void {
    if (!this.#open.delete(path)) return;
    this.#notify("textDocument/didClose", { textDocument: { uri: uriOf(path) } });
  }

  /** Gives the server the present text of every open file, except those that the caller sets. */
  async refresh(fs: HostFs, except: ReadonlySet<string>): Promise<void> {
    const open = Array.from(this.#open.keys());
    for (const path of open) {
      if (except.has(path)) continue;
      const text = await textOfFile(fs, path);
      if (text === undefined) this.close(path);
      else if (text !== this.textOf(path)) this.set(path, text);
    }
  }
}

/** Text of a file; undefined if it is missing, too large or not UTF-8. */
export async function textOfFile(fs: HostFs, path: string): Promise<string | undefined> {
  try {
    const { size, kind } = await fs.stat(path);
    if (kind !== "file" || size > maxFileBytes) return undefined;
    const { bytes } = await fs.readFile(path);
    return bytes.length > maxFileBytes
      ? undefined
      : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (ToolError.is(error) || error instanceof TypeError) return undefined;
    throw error;
  }
}
