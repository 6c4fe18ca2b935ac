import { kitOptions } from "../../options.ts";

/** Options of the verbs for servers. */
export const serverOptions = {
  ...kitOptions,
  scope: { type: "string" },
  env: { type: "string", multiple: true },
  header: { type: "string", multiple: true },
  transport: { type: "string" },
  issuer: { type: "string" },
  "no-browser": { type: "boolean" },
} as const;
