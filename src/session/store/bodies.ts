import { createHash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** A longer string is stored once by its hash, so that forks, compactions and step results share it. */
const maxInlineChars = 16_384;

/** Begins a string that refers to a stored one. A string that begins like it by chance is stored by its hash too. */
const mark = "\u0000blob:";
/** The mark as JSON writes it. */
const markInJson = String.raw`"\u0000blob:`;

/** Converts values to the JSON of a row and back, with long strings by reference. */
export class Bodies {
  readonly #keep: StatementSync;
  readonly #use: StatementSync;
  readonly #read: StatementSync;

  constructor(database: DatabaseSync) {
    this.#keep = database.prepare("INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)");
    this.#use = database.prepare(
      "INSERT OR IGNORE INTO blob_uses (session_id, hash) VALUES (?, ?)",
    );
    this.#read = database.prepare("SELECT text FROM blobs WHERE hash = ?");
  }

  /** JSON of a value; called within the transaction that stores it. */
  encode(sessionId: string, value: unknown): string {
    const json = JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each !== "string") return each;
      if (each.length <= maxInlineChars && !each.startsWith(mark)) return each;
      // As JSON, because SQLite of Node 22.13 ends a text at its first NUL, and UTF-8 has no half of a surrogate pair.
      const text = JSON.stringify(each);
      const hash = createHash("sha256").update(text).digest("hex");
      this.#keep.run(hash, text);
      this.#use.run(sessionId, hash);
      return mark + hash;
    });
    if (json === undefined) throw new TypeError("The value cannot be represented as JSON.");
    return json;
  }

  /** Value of a row's JSON. Throws if it is damaged or refers to a text that is missing. */
  decode(json: string): unknown {
    if (!json.includes(markInJson)) return JSON.parse(json);
    return JSON.parse(json, (_key, each: unknown) => {
      if (typeof each !== "string" || !each.startsWith(mark)) return each;
      const text = this.#read.get(each.slice(mark.length))?.["text"];
      if (typeof text !== "string") throw new TypeError("A stored text is missing.");
      const value: unknown = JSON.parse(text);
      if (typeof value !== "string") throw new TypeError("A stored text is damaged.");
      return value;
    });
  }
}
