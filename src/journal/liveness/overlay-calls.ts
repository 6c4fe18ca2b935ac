import { wholeOf, type CallRecord } from "../records.ts";

/** Calls of this journal with applied staged changes that have not ended. */
export interface GoingOnCalls {
  has(record: CallRecord): boolean;
  all(): readonly CallRecord[];
  add(record: CallRecord): void;
  /** Fields that make another record of the call a part of it. */
  furtherPart(callId: string): { readonly partOf?: string };
  /** Ends a call and notes that for its records, except for `noted`, whose own line already shows it. */
  end(callId: string, noted: CallRecord | undefined): Promise<void>;
  endAll(): Promise<void>;
}

/** `note` reports to other processes that the calls of records have ended, and never rejects. */
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
