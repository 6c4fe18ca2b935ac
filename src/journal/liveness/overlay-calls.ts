import { wholeOf, type CallRecord } from "../records.ts";

/** The calls of this journal of which staged changes were brought, and that are not over. */
export interface GoingOnCalls {
  has(record: CallRecord): boolean;
  all(): readonly CallRecord[];
  add(record: CallRecord): void;
  /** What makes another record of the call a part of it. */
  furtherPart(callId: string): { readonly partOf?: string };
  /** The call is over; but for the record whose own note says so. */
  end(callId: string, noted: CallRecord | undefined): Promise<void>;
  endAll(): Promise<void>;
}

/** `note` tells other programs that the calls of records are over, and never fails. */
export function goingOnCalls(
  note: (records: readonly CallRecord[]) => Promise<void>,
): GoingOnCalls {
  const calls = new Map<string, readonly CallRecord[]>();
  const all = (): readonly CallRecord[] => [...calls.values()].flat();
  return {
    all,
    has: ({ id, callId }) => calls.get(callId)?.some((record) => record.id === id) === true,
    add(record) {
      calls.set(record.callId, [...(calls.get(record.callId) ?? []), record]);
    },
    furtherPart(callId) {
      const [first] = calls.get(callId) ?? [];
      return first === undefined ? {} : { partOf: wholeOf(first) };
    },
    async end(callId, noted) {
      const records = calls.get(callId) ?? [];
      calls.delete(callId);
      await note(records.filter(({ id }) => id !== noted?.id));
    },
    async endAll() {
      const records = all();
      calls.clear();
      await note(records);
    },
  };
}
