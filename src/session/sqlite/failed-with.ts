/** Primary result codes of SQLite; an extended code holds one of them in its lowest byte. */
const resultCodes = {
  busy: 5,
  locked: 6,
  ioError: 10,
  corrupt: 11,
  full: 13,
  notADatabase: 26,
} as const;

/** Whether SQLite failed with this result. */
export function failedWith(error: unknown, ...results: (keyof typeof resultCodes)[]): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const { errcode } = error;
  return typeof errcode === "number" && results.some((each) => resultCodes[each] === errcode % 256);
}
