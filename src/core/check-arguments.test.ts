import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  aCount,
  aFlag,
  aFunction,
  aListOf,
  aText,
  checkedArgument,
  checkedObject,
  checkedOptions,
  oneOf,
  plainData,
  texts,
} from "./check-arguments.ts";
import { runs } from "../../test/support/law-runs.ts";

const fields = {
  mode: oneOf(["plan", "default"]),
  trust: aFlag,
  rules: { is: "an object", fields: { deny: texts, allow: texts } },
  limits: { is: "an object", values: aCount },
  settings: { is: "an object", values: plainData },
  onAsk: aFunction,
};

function check(options: unknown): unknown {
  return checkedOptions("open", options as object, fields);
}

test.each([
  {
    options: { unheardOf: 1 },
    says: 'open has no option "unheardOf". There are: mode, trust, rules, limits, settings, onAsk.',
  },
  { options: null, says: "open takes an object of options, not null." },
  { options: [], says: "open takes an object of options, not a list." },
  { options: { trust: "yes" }, says: 'open: trust must be true or false, not "yes".' },
  {
    options: { mode: "plam" },
    says: 'open: mode must be one of plan, default, not "plam". Did you mean "plan"?',
  },
  {
    options: { trsut: true },
    says: 'open has no option "trsut". Did you mean "trust"?',
  },
  {
    options: { rules: { dney: [] } },
    says: 'open: rules has no option "dney". Did you mean "deny"?',
  },
  { options: { rules: { deny: ["a", 7] } }, says: "open: rules.deny[1] must be a text, not 7." },
  { options: { rules: { deny: "a" } }, says: 'open: rules.deny must be a list of texts, not "a".' },
  {
    options: { limits: { read: 0 } },
    says: "open: limits.read must be a whole number above 0, not 0.",
  },
  {
    options: { settings: { deny: new Map() } },
    says: "open: settings.deny must be plain data, nested at most 100 deep, not an object.",
  },
])("$options: $says", ({ options, says }) => {
  expect(() => check(options)).toThrow(
    expect.objectContaining({ name: "TypeError", message: says, code: "INVALID_INPUT" }),
  );
});

test("a getter that throws is an error of the argument, with its cause", () => {
  const cause = new Error("not for you");
  const options = {
    get mode(): string {
      throw cause;
    },
  };

  expect(() => check(options)).toThrow(
    expect.objectContaining({ message: expect.stringContaining("cannot be read"), cause }),
  );
});

test("an object without a prototype has its names checked like any other", () => {
  const right: object = Object.assign(Object.create(null), { mode: "plan" });
  const wrong: object = Object.assign(Object.create(null), { mdoe: "plan" });

  expect(checkedObject("A rule", right, fields)).toEqual({ mode: "plan" });
  expect(() => checkedObject("A rule", wrong, fields)).toThrow('"mode"');
});

test("every field is read once, and what was checked is what is used", () => {
  let reads = 0;
  const options = {
    get mode(): string {
      reads += 1;
      return reads === 1 ? "plan" : "bypass";
    },
  };
  const deny = ["a"];

  const checked = check(Object.assign(Object.create(options), { rules: { deny } }));
  deny.push("b");

  expect(checked).toEqual({ mode: "plan", rules: { deny: ["a"] } });
  expect(reads).toBe(1);
});

test("what an object inherits counts, of a class as well", () => {
  class Options {
    readonly trust = true;
    get mode(): string {
      return "plan";
    }
    onAsk(): boolean {
      return this.trust;
    }
    get settings(): object {
      return Object.create({ deny: ["a"] });
    }
  }

  expect(check(new Options())).toEqual({
    trust: true,
    mode: "plan",
    settings: { deny: ["a"] },
    onAsk: expect.any(Function),
  });
});

test.each([
  { name: "no prototype", make: () => Object.assign(Object.create(null), { trust: true }) },
  { name: "another realm", make: () => runInNewContext("({ trust: true })") as unknown },
  { name: "a proxy", make: () => new Proxy({ trust: true }, {}) },
  { name: "a frozen object", make: () => Object.freeze({ trust: true }) },
])("options of $name are taken", ({ make }) => {
  expect(check(make())).toEqual({ trust: true });
});

const toolFields = { name: aText, tags: texts, run: { ...aFunction, isRequired: true } };

test("methods of a class stay bound to their object, own functions and fields stay as they are", () => {
  class Tool {
    readonly name = "one";
    readonly helper = 3;
    readonly #secret = 4;
    run(): number {
      return this.helper + this.#secret;
    }
  }

  const checked = checkedObject("Tool", new Tool(), toolFields);

  expect(checked).toMatchObject({ name: "one", helper: 3 });
  expect(checked.run()).toBe(7);
});

test("a slip of a known name is an error in a literal, and nothing in an object of a class", () => {
  const slip = { name: "a", run: () => 1, tag: ["x"] };

  expect(() => checkedObject("Tool", slip, toolFields)).toThrow(
    'Tool has no option "tag". Did you mean "tags"?',
  );
  expect(checkedObject("Tool", { ...slip, tags: ["y"] }, toolFields)).toHaveProperty("tag", ["x"]);
  expect(checkedObject("Tool", { name: "a", run: () => 1, other: 7 }, toolFields).other).toBe(7);
  expect(() => checkedObject("Tool", { name: "a" }, toolFields)).toThrow(
    "Tool: run must be a function, not undefined.",
  );
});

test("a sparse list is refused by its length", () => {
  const list = Object.assign([], { length: 4_294_967_295 });

  expect(() => checkedArgument("list", list, aListOf(aText, "a list"))).toThrow(
    "list must be a list of at most 100000 entries.",
  );
});

test("whatever options hold, they are taken or refused with a code and a hint", () => {
  const value = fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true });
  const options = fc.dictionary(fc.constantFrom(...Object.keys(fields), "rule", "x"), value);

  fc.assert(
    fc.property(fc.oneof(options, value), (given) => {
      expect(refusalOf(given)).toEqual({ isNamed: true });
    }),
    { seed: 14, numRuns: runs(500) },
  );
});

/** Whether what is said of an argument that is refused has a code, and what to do; the same for one that is taken. */
function refusalOf(given: unknown): { readonly isNamed: boolean } {
  try {
    check(given);
    return { isNamed: true };
  } catch (error) {
    const { code, hint }: { code?: unknown; hint?: unknown } = Object(error);
    const isNamed = error instanceof TypeError && code === "INVALID_INPUT" && Boolean(hint);
    return { isNamed };
  }
}
