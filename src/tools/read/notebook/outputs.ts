import { ToolError, type ContentPart, type Limits } from "../../../core/index.ts";
import { grouped } from "../../files/paths/display-path.ts";
import { isJsonObject, joinedText, type JsonObject } from "../../files/notebook/notebook.ts";
import { imageFormat } from "../images/image-header.ts";
import { imageLimits } from "../images/read-image.ts";

export interface OutputOptions {
  readonly read: Limits["read"];
  readonly signal: AbortSignal;
  readonly shown: string;
}

/** Maximum number of images shown of one notebook, and of their base64 characters in total. */
const maxImages = 20;
const maxImageChars = 12_000_000;

/** Formats the outputs of a notebook's cells, within a limit for all of them together. */
export class OutputWriter {
  readonly #options: OutputOptions;
  #chars = 0;
  #images = 0;
  #imageChars = 0;
  #isCut = false;

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  /** Whether some output is shown only in part. */
  get isCut(): boolean {
    return this.#isCut;
  }

  async write(outputs: readonly unknown[]): Promise<readonly ContentPart[]> {
    const parts: ContentPart[] = [];
    for (const output of outputs) {
      if (isJsonObject(output)) parts.push(...(await this.#output(output)));
    }
    return parts;
  }

  async #output(output: JsonObject): Promise<readonly ContentPart[]> {
    switch (output["output_type"]) {
      case "stream":
        return this.#text(`[output: ${nameOf(output)}]`, joinedText(output["text"]));
      case "error": {
        const trace = output["traceback"];
        const lines = Array.isArray(trace) ? trace.filter((line) => typeof line === "string") : [];
        const text =
          lines.length > 0
            ? lines.join("\n")
            : `${String(output["ename"])}: ${String(output["evalue"])}`;
        return this.#text("[output: error]", text);
      }
      default:
        return this.#data(isJsonObject(output["data"]) ? output["data"] : {});
    }
  }

  /** Formats an image if there is one, otherwise the plainest text. */
  async #data(data: JsonObject): Promise<readonly ContentPart[]> {
    for (const type of ["image/png", "image/jpeg", "image/gif", "image/webp"]) {
      const base64 = joinedText(data[type]);
      if (base64 !== "") return await this.#image(type, base64);
    }
    for (const type of ["text/plain", "text/markdown", "text/latex", "text/html"]) {
      const text = joinedText(data[type]);
      if (text !== "")
        return this.#text(type === "text/plain" ? "[output]" : `[output: ${type}]`, text);
    }
    const types = Object.keys(data);
    return types.length === 0
      ? []
      : [{ type: "text", text: `[output: ${types.join(", ")}, not shown]` }];
  }

  async #image(type: string, base64: string): Promise<readonly ContentPart[]> {
    const { read, signal, shown } = this.#options;
    if (
      this.#images >= maxImages ||
      this.#imageChars + Math.min(base64.length, read.imageBase64) > maxImageChars
    ) {
      this.#isCut = true;
      return [{ type: "text", text: `[output: ${type}, left out after ${this.#images} pictures]` }];
    }
    try {
      if (base64.length > read.imageBytes) throw new ToolError("TOO_LARGE", "It is too large.");
      const bytes = Buffer.from(base64, "base64");
      const format = imageFormat(bytes);
      if (format === undefined) throw new ToolError("BINARY_FILE", "It is not an image.");
      const { prepareImage } = await import("../images/prepare-image.ts");
      const { part } = await prepareImage({
        bytes,
        format,
        name: `a picture in ${shown}`,
        limits: imageLimits(read),
        signal,
      });
      this.#images++;
      this.#imageChars += part.data.length;
      return [{ type: "text", text: `[output: ${type}]` }, part];
    } catch (error) {
      if (!ToolError.is(error) || error.code === "ABORTED") throw error;
      return [{ type: "text", text: `[output: ${type}, not shown: ${error.message}]` }];
    }
  }

  #text(heading: string, raw: string): readonly ContentPart[] {
    const { outputChars, outputsChars } = this.#options.read;
    const text = raw.endsWith("\n") ? raw.slice(0, -1) : raw;
    const room = Math.min(outputChars, outputsChars - this.#chars);
    if (room <= 0) {
      this.#isCut = true;
      return [
        {
          type: "text",
          text: `${heading.slice(0, -1)}, ${grouped(text.length)} characters left out]`,
        },
      ];
    }
    // After shortening, so that a long output is not scanned completely.
    const shown = this.#fitted(text, room).replaceAll(terminalCodes, "");
    this.#chars += Math.min(text.length, room);
    return [{ type: "text", text: `${heading}\n${shown}` }];
  }

  /** Beginning and end of a text, because the end usually matters most. */
  #fitted(text: string, room: number): string {
    if (text.length <= room) return text;
    this.#isCut = true;
    const head = Math.floor(room / 2);
    const left = text.length - room;
    return `${text.slice(0, head)}\n… [${grouped(left)} characters left out] …\n${text.slice(text.length - (room - head))}`;
  }
}

// oxlint-disable-next-line no-control-regex -- that is what such a code begins with
const terminalCodes = /\u001B\[[0-9;]*[A-Za-z]/gu;

function nameOf(output: JsonObject): string {
  return typeof output["name"] === "string" ? output["name"] : "stdout";
}
