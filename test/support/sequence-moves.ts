import assert from "node:assert/strict";
import path from "node:path";
import * as fc from "fast-check";
import { ToolError, type Kit } from "../../src/index.ts";
import {
  callStep,
  oneCommand,
  outsideStep,
  type CallStep,
  type OutsideStep,
} from "./sequence-steps.ts";
import { differences, type SequenceWorld, type Tree } from "./sequence-world.ts";

/** Possible events in a workspace. `which` counts calls from the newest, as far as they exist. */
export type Move =
  | { readonly move: "call"; readonly step: CallStep }
  | { readonly move: "outside"; readonly step: OutsideStep }
  | { readonly move: "meanwhile"; readonly step: CallStep; readonly outside: OutsideStep }
  | {
      readonly move: "undo" | "undo call" | "undo to";
      readonly which: number;
      readonly force: boolean;
    }
  | { readonly move: "redo"; readonly force: boolean };

const which = fc.integer({ min: 0, max: 3 });

export const someMoves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ move: fc.constant("call" as const), step: callStep }) },
    {
      weight: 4,
      arbitrary: fc.record({ move: fc.constant("outside" as const), step: outsideStep }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        move: fc.constant("meanwhile" as const),
        step: oneCommand,
        outside: outsideStep,
      }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        move: fc.constantFrom("undo" as const, "undo call" as const, "undo to" as const),
        which,
        force: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ move: fc.constant("redo" as const), force: fc.boolean() }),
    },
  ),
  { minLength: 4, maxLength: 14 },
);

/** Change by a call, an undo or a redo: the tree before and after it. */
interface Deed {
  readonly before: Tree;
  readonly after: Tree;
  readonly paths: readonly string[];
}

/** Takes moves one after the other and holds, at each, what is promised of what others wrote. */
export class Moves {
  readonly #world: SequenceWorld;
  readonly #kits: readonly Kit[];
  #turn = 0;
  readonly #calls = new Map<string, Deed>();
  /** Undos that can be undone, newest last. */
  readonly #undos: Deed[] = [];
  /** Calls that stand, oldest first. */
  #standing: string[] = [];

  /** With several kits they take turns. */
  constructor(world: SequenceWorld, kits: readonly Kit[] = [world.kit]) {
    this.#world = world;
    this.#kits = kits;
  }

  #kit(): Kit {
    this.#turn += 1;
    return this.#kits[this.#turn % this.#kits.length] ?? this.#world.kit;
  }

  /** False where the sequence cannot be checked any further. */
  async take(move: Move): Promise<boolean> {
    switch (move.move) {
      case "call":
        return await this.#call(move.step);
      case "outside":
        this.#world.outside(move.step);
        return true;
      case "meanwhile":
        return await this.#meanwhile(move);
      case "redo":
        await this.#redo(move.force);
        return true;
      case "undo":
      case "undo call":
      case "undo to":
        await this.#undo(move);
        return true;
    }
  }

  async #call(step: CallStep): Promise<boolean> {
    const before = this.#world.tree();
    const { undo, text } = await this.#world.call(step, this.#kit());
    const after = this.#world.tree();
    const paths = pathsOf(before, after);
    const what = JSON.stringify({ step, undo, text: text.slice(0, 300) });
    assert.equal(undo === undefined, paths.length === 0, `${what} ${paths.join()}`);
    if (undo === undefined) return true;
    if (undo.level !== "full") return false;
    this.#calls.set(undo.callId, { before, after, paths });
    this.#standing.push(undo.callId);
    return true;
  }

  /** Another process changes something when a command has done its work on the overlay, and has not ended. */
  async #meanwhile({
    step,
    outside,
  }: Extract<Move, { readonly move: "meanwhile" }>): Promise<boolean> {
    if (!("command" in step)) return true;
    const before = this.#world.tree();
    let mid = before;
    const { undo, error, text } = await this.#world.callWith(step, () => {
      this.#world.outside(outside);
      mid = this.#world.tree();
    });
    const after = this.#world.tree();
    const theirs = pathsOf(before, mid);
    const what = JSON.stringify({ step, outside, undo, text: text.slice(0, 300) });
    for (const at of theirs) {
      if (mid.has(at)) assert.equal(after.get(at), mid.get(at), `another's ${at}: ${what}`);
    }
    const paths = pathsOf(mid, after);
    if (error !== undefined) {
      same(differences(mid, after), [], `refused: ${what}`);
      // It may also be refused by a rule, before anybody did anything.
      const isNamed = error.code !== "STALE_READ" || pathsIn(error).length > 0;
      assert.ok(isNamed, `names no path: ${what}`);
      return true;
    }
    assert.equal(undo === undefined, paths.length === 0, `${what} ${paths.join()}`);
    if (undo === undefined) return true;
    if (undo.level !== "full") return false;
    this.#calls.set(undo.callId, { before: mid, after, paths });
    this.#standing.push(undo.callId);
    return true;
  }

  async #undo({
    move,
    which: index,
    force,
  }: Extract<Move, { readonly which: number }>): Promise<void> {
    const callId = this.#standing.at(-1 - index) ?? this.#standing[0] ?? "none";
    const target: Parameters<Kit["undo"]>[0] =
      move === "undo"
        ? { last: index + 1 }
        : move === "undo call"
          ? { call: callId }
          : { to: callId };
    await this.#changing({
      force,
      act: async (paths) => await this.#kit().undo(target, { force: paths }),
      left: (calls) => {
        const deeds = calls.map((id) => this.#deed(id));
        const newest = new Map<string, string | undefined>();
        const oldest = new Map<string, string | undefined>();
        for (const { before, after, paths } of deeds) {
          for (const at of paths) {
            if (!newest.has(at)) newest.set(at, after.get(at));
            oldest.set(at, before.get(at));
          }
        }
        return { from: newest, to: oldest };
      },
      done: (calls, deed) => {
        this.#standing = this.#standing.filter((id) => !calls.includes(id));
        this.#undos.push(deed);
      },
    });
  }

  async #redo(force: boolean): Promise<void> {
    const undone = this.#undos.at(-1);
    await this.#changing({
      force,
      act: async (paths) => await this.#kit().redo({ force: paths }),
      left: () => {
        assert.ok(undone !== undefined, "there is nothing to do again");
        const { before, after, paths } = undone;
        return {
          from: new Map(paths.map((at) => [at, after.get(at)])),
          to: new Map(paths.map((at) => [at, before.get(at)])),
        };
      },
      done: (calls) => {
        this.#undos.pop();
        const known = [...this.#calls.keys()];
        this.#standing = [...this.#standing, ...calls].toSorted(
          (a, b) => known.indexOf(a) - known.indexOf(b),
        );
      },
    });
  }

  async #changing({
    force,
    act,
    left,
    done,
  }: {
    readonly force: boolean;
    readonly act: (
      force: readonly string[],
    ) => Promise<{ calls: readonly string[]; kept: readonly { path: string; because: string }[] }>;
    readonly left: (calls: readonly string[]) => {
      readonly from: ReadonlyMap<string, string | undefined>;
      readonly to: ReadonlyMap<string, string | undefined>;
    };
    readonly done: (calls: readonly string[], deed: Deed) => void;
  }): Promise<void> {
    const before = this.#world.tree();
    const forced: string[] = [];
    for (;;) {
      try {
        const { calls, kept } = await act(forced);
        const after = this.#world.tree();
        const { from, to } = left(calls);
        const own = (file: string): string => path.relative(this.#world.root, file);
        const stays = new Set(kept.map((each) => own(each.path)));
        const isForced = new Set(forced.map(own));
        for (const at of pathsOf(before, after)) {
          const now = before.get(at);
          const said = `${at}: ${now} became ${after.get(at)}; it was left as ${from.get(at)}`;
          // A folder that is gone is made again for what was in it.
          const isParent =
            now === undefined && [...to.keys()].some((each) => each.startsWith(`${at}/`));
          if (!from.has(at) && isParent) continue;
          assert.ok(from.has(at), `not its own: ${said}`);
          const isLeft = sameBut(now, from.get(at)) || sameBut(now, to.get(at));
          assert.ok(isLeft || isForced.has(at), `another's: ${said}`);
        }
        for (const [at, wanted] of to) {
          if (stays.has(at)) {
            const holds = [...after.keys()].some((each) => path.dirname(each) === at);
            assert.ok(after.get(at)?.endsWith("/") === true && holds, `kept: ${at}`);
          } else assert.equal(after.get(at), wanted, `half-done: ${at} was ${before.get(at)}`);
        }
        const deed = { before, after, paths: [...to.keys()].filter((at) => !stays.has(at)) };
        done(calls, deed);
        if (forced.length > 0) await this.#backFromForce(deed);
        return;
      } catch (error) {
        if (!ToolError.is(error)) throw error;
        same(differences(before, this.#world.tree()), [], `refused: ${error.message}`);
        if (error.code !== "STALE_READ") {
          assert.ok(["NOT_FOUND", "UNAVAILABLE"].includes(error.code), String(error));
          return;
        }
        const paths = pathsIn(error);
        assert.ok(paths.length > 0, error.message);
        assert.ok(error.message.includes(paths[0] ?? "?"), error.message);
        const more = paths.filter((each) => !forced.includes(each));
        if (!force) return;
        if (more.length === 0) {
          // Files in a folder that is in the way are nobody's to remove.
          const isHeld = paths.some((each) => {
            const at = path.relative(this.#world.root, each);
            return [...before.keys()].some((other) => other.startsWith(`${at}/`));
          });
          assert.ok(isHeld, `refused although forced: ${error.message}`);
          return;
        }
        forced.push(...more);
      }
    }
  }

  /** Content that was overwritten by force is kept. */
  async #backFromForce({ before, after, paths }: Deed): Promise<void> {
    if (this.#undos.at(-1)?.after !== after) return;
    const { calls, kept } = await this.#kit().redo();
    same(kept, []);
    const now = this.#world.tree();
    same(
      paths.filter((at) => now.get(at) !== before.get(at)),
      [],
      "what was overwritten by force is back",
    );
    this.#undos.pop();
    const known = [...this.#calls.keys()];
    this.#standing = [...this.#standing, ...calls].toSorted(
      (a, b) => known.indexOf(a) - known.indexOf(b),
    );
  }

  #deed(callId: string): Deed {
    const deed = this.#calls.get(callId);
    assert.ok(deed !== undefined, `the call ${callId} is not known`);
    return deed;
  }
}

function pathsOf(before: Tree, after: Tree): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (at) => before.get(at) !== after.get(at),
  );
}

/** Ignores the time. */
function sameBut(one: string | undefined, other: string | undefined): boolean {
  return one?.replace(/ @\d+$/u, "") === other?.replace(/ @\d+$/u, "");
}

function pathsIn(error: { readonly data?: ToolError["data"] }): readonly string[] {
  const { paths, path: one } = error.data ?? {};
  if (Array.isArray(paths)) return paths.filter((each) => typeof each === "string");
  return typeof one === "string" ? [one] : [];
}

function same(found: unknown, expected: unknown, what?: string): void {
  assert.deepEqual(found, expected, what && `${what}\n${JSON.stringify(found, undefined, 1)}`);
}
