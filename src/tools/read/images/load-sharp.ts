import type sharp from "sharp";

export type Sharp = typeof sharp;

let loading: Promise<Sharp | undefined> | undefined;

/** The optional image library, undefined where it is not installed; most sessions never see an image. */
export async function loadSharp(): Promise<Sharp | undefined> {
  loading ??= import("sharp").then(
    (module) => module.default,
    () => undefined,
  );
  return await loading;
}
