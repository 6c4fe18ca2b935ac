import { expect, test } from "vitest";
import { withParameters } from "./listing-parts.ts";

const inputSchema = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
};
const parameters = [{ name: "path", type: "string", description: "", required: true }];

test("the parameters of a listing are own and enumerable, also of a copy and in JSON", () => {
  const listing = withParameters({ inputSchema });

  expect({ ...listing }).toEqual({ inputSchema, parameters });
  expect(JSON.parse(JSON.stringify(listing))).toEqual({ inputSchema, parameters });
});

test("listings share the getter of their parameters, and with it the shape that saves memory", () => {
  const [one, other] = [withParameters({ inputSchema }), withParameters({ inputSchema })].map(
    (listing) => Object.getOwnPropertyDescriptor(listing, "parameters"),
  );

  expect(one).toMatchObject({ enumerable: true });
  expect(one).toStrictEqual(other);
});
