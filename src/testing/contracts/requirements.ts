import { ToolError } from "../../core/index.ts";
import type { ContractCheck } from "../tool-contract.ts";

/** Host of a check, opened for it alone. */
export interface ContractHost {
  /** Absolute, canonical path of an existing, empty directory. */
  readonly root: string;
  /** Called after the check, also where it fails. Default: nothing to close. */
  readonly close?: () => Promise<void>;
}

/** One law of a contract. */
export interface Law<World> {
  readonly name: string;
  readonly check: (world: World) => Promise<void>;
}

/** Makes each law a check with a world of its own. */
export function checksOf<World extends Partial<Pick<ContractHost, "close">>>(
  name: string,
  open: () => Promise<World>,
  laws: readonly Law<World>[],
): readonly ContractCheck[] {
  return laws.map((law) => ({
    name: `${name}: ${law.name}`,
    run: async () => {
      const world = await open();
      try {
        await law.check(world);
      } finally {
        await world.close?.();
      }
    },
  }));
}

/** Requires that the work fails with one of these codes. */
export async function refused(work: Promise<unknown>, codes: readonly string[]): Promise<void> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const found = ToolError.is(error) ? error.code : String(error);
  requireTrue(codes.includes(found), `${codes.join(" or ")} was expected, and came: ${found}`);
}

/** Requires that both have the same JSON. */
export function same(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  requireTrue(one === other, `${what}: expected ${other}, found ${one}`);
}

/** Fails the check with this problem unless the requirement is met. */
export function requireTrue(isMet: boolean, problem: string): void {
  if (!isMet) throw new Error(problem);
}

export function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function decoded(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

/** All items, in order. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
