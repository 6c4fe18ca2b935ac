import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/** Longest chain of references that is followed; a longer one is a cycle. */
const maxReferences = 32;

/** Members of an OpenAPI document, or of a part of it. */
export type Members = Readonly<Record<string, unknown>>;

/** Reads a document: parsed, or JSON or YAML text. Only version 3 is accepted. */
export async function readDocument(given: unknown): Promise<Members> {
  const document = typeof given === "string" ? await parseText(given) : given;
  if (!isRecord(document)) throw invalid("The OpenAPI document is not an object.");
  const { openapi, swagger } = document;
  if (typeof openapi !== "string" || !openapi.startsWith("3.")) {
    const version = [openapi, swagger].find((each) => typeof each === "string") ?? "none";
    throw invalid(
      `The document has OpenAPI version ${version.slice(0, 20)}; only version 3 is supported.`,
      "Convert it to OpenAPI 3.",
    );
  }
  if (!isRecord(document["paths"])) throw invalid("The OpenAPI document has no paths.");
  return document;
}

async function parseText(text: string): Promise<unknown> {
  try {
    const { parse } = await import("yaml");
    // Aliases can multiply a small text without end.
    const value: unknown = parse(text, { maxAliasCount: 1000 });
    return value;
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "The OpenAPI document is neither JSON nor YAML.", {
      hint: "Check the file, or pass the parsed document.",
      cause,
    });
  }
}

/** Follows references within the document. Throws a sentence for one that leads elsewhere, nowhere or in a circle. */
export function resolved(document: Members, given: unknown): Members {
  let value = given;
  for (let count = 0; count < maxReferences; count += 1) {
    if (!isRecord(value)) throw new UnusablePart("a part of it is not an object");
    const { $ref } = value;
    if (typeof $ref !== "string") return value;
    value = target(document, $ref);
  }
  throw new UnusablePart("its references form a circle");
}

/** Value that a reference points to. */
export function target(document: Members, reference: string): unknown {
  if (!reference.startsWith("#/")) {
    throw new UnusablePart(`it refers to ${reference}, outside the document`);
  }
  let value: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (value === undefined) throw new UnusablePart(`it refers to ${reference}, which is missing`);
  return value;
}

/** Reason why an operation cannot become a tool. */
export class UnusablePart extends Error {}

function invalid(message: string, hint = "Pass an OpenAPI 3 document."): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint });
}
