/** Whatever JSON can carry. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A JSON Schema document (draft 2020-12 unless it says otherwise). */
export type JsonSchema = { readonly [key: string]: unknown };
