import { serviceToken } from "./service-token.ts";

/** Redacts secrets in a text. A caller that truncates the text redacts first: half a secret is not recognized. */
export interface Redaction {
  load(): Promise<(text: string) => string>;
}

export const redaction = serviceToken<Redaction>("redaction");
