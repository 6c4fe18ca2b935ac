/** Parts of an answer, in the words of the Model Context Protocol (2025-11-25, `ContentBlock`). */
export type ContentPart =
  | TextPart
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
    }
  | {
      readonly type: "resource";
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text?: string;
        readonly blob?: string;
      };
    };

/** Text. */
export interface TextPart {
  readonly type: "text";
  /** The text itself. */
  readonly text: string;
}

/** Returns the text of an answer, parts joined by newlines; a part that is not text is named in brackets. */
export function contentText(content: readonly ContentPart[]): string {
  return content.map(partText).join("\n");
}

/** Returns a part as text; a part that is not text is named in brackets. */
export function partText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type} ${part.mimeType}]`;
    case "resource_link":
      return `[resource ${part.uri}]`;
    case "resource":
      return part.resource.text ?? `[resource ${part.resource.uri}]`;
  }
}
