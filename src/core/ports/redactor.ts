import { serviceToken } from "./service-token.ts";

/** Takes secrets out of a text: whoever cuts one does so first, because half a secret is known for none. */
export interface Redaction {
  load(): Promise<(text: string) => string>;
}

export const redaction = serviceToken<Redaction>("redaction");
