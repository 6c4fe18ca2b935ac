import type { DeriveOptions } from "./options.ts";

/** Apart from the other checks, which load with what reads settings: deriving waits for nothing. */
const forms = {
  host: { is: "an object", fits: isObject },
  mode: { is: "a text", fits: (value) => typeof value === "string" },
  tools: { is: 'a list of names, as in { tools: ["Read"] }', fits: isListOfTexts },
  ceiling: { is: 'a list of rules, as in { ceiling: ["Read(src/**)"] }', fits: isListOfTexts },
} satisfies Record<
  keyof DeriveOptions,
  { readonly is: string; readonly fits: (value: unknown) => boolean }
>;

/** Throws a TypeError for options that no toolkit can be derived with: a mistyped one would limit nothing. */
export function checkDeriveOptions(options: DeriveOptions): void {
  const given: unknown = options;
  if (!isObject(given)) throw new TypeError("derive takes an object of options.");
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(forms, name)) continue;
    throw new TypeError(
      `derive has no option ${JSON.stringify(name)}. There are: ${Object.keys(forms).join(", ")}.`,
    );
  }
  for (const [name, { is, fits }] of Object.entries(forms)) {
    const value = given[name];
    if (value !== undefined && !fits(value)) throw new TypeError(`derive: ${name} must be ${is}.`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each: unknown) => typeof each === "string");
}
