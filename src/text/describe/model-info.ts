import { aCount, type Fields, type Form } from "../../core/index.ts";

const aPrice: Form = {
  is: "an amount of US dollars, 0 or more",
  fits: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
};

const priceForms = {
  input: { ...aPrice, isRequired: true },
  output: { ...aPrice, isRequired: true },
  cacheRead: aPrice,
  cacheWrite: aPrice,
} satisfies Fields;

/** Sizes and prices of a model. */
export const aModelInfo: Form = {
  is: "an object with contextTokens, maxOutputTokens and usdPerMTok",
  fields: {
    contextTokens: aCount,
    maxOutputTokens: aCount,
    usdPerMTok: { is: "prices, as in { input: 1, output: 5 }", fields: priceForms },
  },
};

/** Whether a cost can be computed with these prices. */
export function arePrices(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(priceForms).every(([name, form]: [string, Form]) => {
    const price: unknown = Reflect.get(value, name);
    return price === undefined ? form.isRequired !== true : form.fits?.(price) === true;
  });
}
