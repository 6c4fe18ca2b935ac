import type sharp from "sharp";

export type Sharp = typeof sharp;

let loading: Promise<Sharp | undefined> | undefined;

/**
 * Loads the optional image library on first use; undefined if it is not installed. Most sessions never read an image.
 */
export async function loadSharp(): Promise<Sharp | undefined> {
  loading ??= import("sharp").then(
    (module) => module.default,
    () => undefined,
  );
  return await loading;
}
