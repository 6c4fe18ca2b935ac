import { Duplex } from "node:stream";

/** Maximum bytes in flight in a stream before its reader has taken some. */
const window = 256 * 1024;
/** Maximum number of open streams; each may buffer a window of bytes on both sides. */
const maxStreams = 256;
const creditBytes = 4;
const headBytes = 9;
const kinds = { data: 0, end: 1, close: 2, credit: 3 } as const;
type Kind = keyof typeof kinds;
const kindOf = new Map<number, Kind>([
  [0, "data"],
  [1, "end"],
  [2, "close"],
  [3, "credit"],
]);

export interface SharedChannel {
  /** Opens a stream; its first frame announces it to the other side. */
  open(): Duplex;
  close(): void;
}

/**
 * Multiplexes streams over one connection, so that a sandbox needs a single descriptor and no socket of its own to the
 * outside. Each stream has its own window: one that is not read blocks no other.
 */
export function sharedChannel(wire: Duplex, onStream?: (stream: Duplex) => void): SharedChannel {
  const streams = new Map<number, Ends>();
  let nextId = 1;
  let held: Buffer = Buffer.alloc(0);

  const send = (id: number, kind: Kind, body: Uint8Array = Buffer.alloc(0)) => {
    if (wire.destroyed) return;
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(id, 0);
    head.writeUInt8(kinds[kind], 4);
    head.writeUInt32BE(body.length, 5);
    wire.write(Buffer.concat([head, body]));
  };
  const join = (id: number): Ends => {
    const ends = streamEnds(
      (kind, body) => send(id, kind, body),
      () => streams.delete(id),
    );
    streams.set(id, ends);
    return ends;
  };
  const closeAll = () => {
    for (const { stream } of streams.values()) stream.destroy();
    streams.clear();
    wire.destroy();
  };

  wire.on("data", (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length < headBytes) return;
      const length = held.readUInt32BE(5);
      // A frame larger than a window breaks the protocol.
      if (length > window) return closeAll();
      if (held.length < headBytes + length) return;
      const id = held.readUInt32BE(0);
      const kind = kindOf.get(held.readUInt8(4));
      const body = held.subarray(headBytes, headBytes + length);
      held = held.subarray(headBytes + length);
      let ends = streams.get(id);
      if (ends === undefined && kind === "data" && onStream !== undefined) {
        if (streams.size >= maxStreams) {
          send(id, "close");
          continue;
        }
        ends = join(id);
        onStream(ends.stream);
      }
      // A program inside may write anything to the connection.
      if (kind !== undefined && ends?.take(kind, body) === false) return closeAll();
    }
  });
  wire.on("error", closeAll);
  wire.on("close", closeAll);

  return {
    open: () => {
      const { stream } = join(nextId);
      send(nextId, "data");
      nextId += 1;
      return stream;
    },
    close: closeAll,
  };
}

interface Ends {
  readonly stream: Duplex;
  /** Handles a frame; returns false if it breaks the protocol. */
  take(kind: Kind, body: Buffer): boolean;
}

function streamEnds(send: (kind: Kind, body?: Uint8Array) => void, forget: () => void): Ends {
  let credit = window;
  let isClosed = false;
  let waiting: (() => void) | undefined;
  const stream = new Duplex({
    allowHalfOpen: true,
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      const push = (from: number) => {
        const part = chunk.subarray(from, from + Math.min(credit, 32 * 1024));
        if (part.length > 0) {
          credit -= part.length;
          send("data", part);
        }
        const next = from + part.length;
        if (next >= chunk.length) done();
        else if (credit > 0) push(next);
        else waiting = () => push(next);
      };
      push(0);
    },
    final: (done) => {
      send("end");
      done();
    },
    destroy: (error, done) => {
      if (!isClosed) send("close");
      isClosed = true;
      forget();
      done(error);
    },
  });
  stream.on("error", () => undefined);
  return {
    stream,
    take: (kind, body) => {
      switch (kind) {
        case "data":
          if (body.length === 0 || stream.destroyed) return true;
          if (stream.readableEnded || stream.readableLength + body.length > window) return false;
          stream.push(Buffer.from(body));
          grantAsRead(stream, body.length, send);
          return true;
        case "end":
          stream.push(null);
          return true;
        case "close":
          isClosed = true;
          stream.destroy();
          return true;
        case "credit": {
          if (body.length !== creditBytes) return false;
          credit = Math.min(window, credit + body.readUInt32BE(0));
          const go = waiting;
          waiting = undefined;
          go?.();
          return true;
        }
      }
    },
  };
}

/** Returns credit to the sender once the reader has taken what is buffered. */
function grantAsRead(
  stream: Duplex,
  bytes: number,
  send: (kind: Kind, body?: Uint8Array) => void,
): void {
  const give = () => {
    const body = Buffer.alloc(4);
    body.writeUInt32BE(bytes, 0);
    send("credit", body);
  };
  const look = () => {
    if (stream.destroyed) return;
    if (stream.readableLength <= window / 2) give();
    else stream.once("data", look);
  };
  look();
}
