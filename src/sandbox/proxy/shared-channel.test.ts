import { once } from "node:events";
import { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { sharedChannel } from "./shared-channel.ts";

/** Creates the two ends of one connection. */
function wire(): readonly [Duplex, Duplex] {
  const ends: Duplex[] = [];
  for (const at of [0, 1]) {
    ends.push(
      new Duplex({
        read: () => undefined,
        write: (chunk, _encoding, done) => {
          ends[1 - at]?.push(chunk);
          setImmediate(done);
        },
        final: (done) => {
          ends[1 - at]?.push(null);
          done();
        },
      }),
    );
  }
  const [left, right] = ends;
  if (left === undefined || right === undefined) throw new Error("A wire has two ends.");
  return [left, right];
}

function echoes() {
  const [near, far] = wire();
  sharedChannel(far, (stream) => stream.pipe(stream));
  return sharedChannel(near);
}

test("what goes into a stream comes out of the same one", async () => {
  const channel = echoes();
  const streams = ["one", "two", "three"].map((word) => {
    const stream = channel.open();
    stream.end(word);
    return text(stream);
  });

  expect(await Promise.all(streams)).toEqual(["one", "two", "three"]);
});

test("more than a window arrives whole", async () => {
  const stream = echoes().open();
  const sent = "0123456789".repeat(200_000);
  stream.end(sent);

  expect(await text(stream)).toBe(sent);
});

test("a stream that nobody reads holds up no other", async () => {
  const channel = echoes();
  const ignored = channel.open();
  ignored.write("x".repeat(2_000_000));
  const stream = channel.open();
  stream.end("through");

  expect(await text(stream)).toBe("through");
  ignored.destroy();
});

test("a lost wire ends its streams", async () => {
  const [near, far] = wire();
  sharedChannel(far);
  const stream = sharedChannel(near).open();
  const closed = once(stream, "close");
  near.destroy();

  await closed;
  expect(stream.destroyed).toBe(true);
});

test("a frame that claims too much ends the wire", async () => {
  const [near, far] = wire();
  sharedChannel(near);
  const closed = once(near, "close");
  far.write(Buffer.from([0, 0, 0, 1, 0, 255, 255, 255, 255]));

  await closed;
  expect(near.destroyed).toBe(true);
});

/** A frame as it is on the wire: stream, kind, length, body. */
function frame(id: number, body: string): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt32BE(id, 0);
  head.writeUInt32BE(Buffer.byteLength(body), 5);
  return Buffer.concat([head, Buffer.from(body)]);
}

test("a frame that arrives byte by byte is read as one", async () => {
  const [near, far] = wire();
  const opened = Promise.withResolvers<Duplex>();
  sharedChannel(near, opened.resolve);
  for (const byte of frame(1, "split")) far.write(Buffer.from([byte]));
  const stream = await opened.promise;
  const [chunk] = await once(stream, "data");

  expect(String(chunk)).toBe("split");
});

test("beyond its limit, streams that the other side opens are closed and never handed on", async () => {
  const [near, far] = wire();
  let opened = 0;
  const last = Promise.withResolvers<void>();
  sharedChannel(near, () => (opened += 1));
  far.on("data", (frames: Buffer) => {
    for (let at = 0; at < frames.length; at += 9) {
      // Kind 2 closes a stream.
      if (frames.readUInt32BE(at) === 300 && frames.readUInt8(at + 4) === 2) last.resolve();
      at += frames.readUInt32BE(at + 5);
    }
  });
  for (let id = 1; id <= 300; id += 1) far.write(frame(id, "x"));
  await last.promise;

  expect(opened).toBe(256);
});
