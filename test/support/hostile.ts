/** How deep the deep ones are. */
export const depth = 50_000;

function nested(kind: "list" | "object"): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = kind === "list" ? [value] : { a: value };
  return value;
}

function cyclic(): unknown {
  const value: Record<string, unknown> = { a: 1 };
  value["self"] = [value];
  return value;
}

export const throwing = (): never => {
  throw new Error("not for you");
};
const trap = {
  get: throwing,
  has: throwing,
  ownKeys: throwing,
  getPrototypeOf: throwing,
  getOwnPropertyDescriptor: throwing,
};

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

export interface HostileValue {
  readonly name: string;
  readonly make: () => unknown;
}

/** Values that no model sends and a program may; each use makes its own. */
export const hostile: readonly HostileValue[] = [
  { name: "a list 50,000 deep", make: () => nested("list") },
  { name: "an object 50,000 deep", make: () => nested("object") },
  { name: "a cycle", make: cyclic },
  { name: "a BigInt", make: () => 10n },
  { name: "a symbol", make: () => Symbol("s") },
  { name: "a function", make: () => () => 1 },
  {
    name: "a getter that throws",
    make: () => Object.defineProperty({}, "a", { get: throwing, enumerable: true }),
  },
  { name: "a proxy that throws", make: () => new Proxy({}, trap) },
  { name: "a revoked proxy", make: revoked },
  { name: "a huge sparse list", make: () => Object.assign([], { length: 4_294_967_295 }) },
  { name: "a lone surrogate", make: () => "a\uD800b" },
  { name: "NUL bytes", make: () => "\0\0" },
  {
    name: "a __proto__ key",
    make: () => JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{}}}'),
  },
  { name: "a toJSON that throws", make: () => ({ toJSON: throwing }) },
  {
    name: "a toString that throws",
    make: () => ({ toString: throwing, [Symbol.toPrimitive]: throwing }),
  },
  { name: "NaN", make: () => Number.NaN },
  { name: "40,000 stars", make: () => "*".repeat(40_000) },
  { name: "a glob of 40,000 characters", make: () => "{a,b}/**/[!x]*".repeat(2858) },
  { name: "40,000 braces", make: () => "{".repeat(40_000) },
  { name: "a huge expression", make: () => `(${"(a|b)*".repeat(5000)})+$` },
  { name: "an expression 5,000 deep", make: () => "(".repeat(5000) + "a" + ")".repeat(5000) },
  { name: "a path of 100,000 characters", make: () => "d/".repeat(50_000) },
  { name: "a name of 10,000 characters", make: () => "n".repeat(10_000) },
  { name: "JSON text 50,000 deep", make: () => "[".repeat(depth) + "]".repeat(depth) },
  { name: "broken JSON text 50,000 deep", make: () => "{'a':[".repeat(depth) },
  { name: "an Error", make: () => new Error("x") },
  {
    name: "a class with a private field",
    make: () =>
      new (class {
        #x = 1;
        get x(): number {
          return this.#x;
        }
      })(),
  },
];
