import { serviceToken } from "./service-token.ts";

/** Redacts secrets in a text. A caller that truncates the text redacts first: half a secret is not recognized. */
export interface Redaction {
  /** Loads the function that replaces secrets by placeholders. */
  load(): Promise<(text: string) => string>;
}

/** Token of the service that redacts secrets. */
export const redaction = serviceToken<Redaction>("redaction");
