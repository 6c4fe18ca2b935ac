export interface NoText {
  /** Format with its article, or the content that no text has. */
  readonly because: string;
  /** The same as the end of a sentence that begins with the file. */
  readonly says: string;
  /** How to open the file instead of reading it. */
  readonly hint: string;
}

interface Signature {
  readonly at?: number;
  readonly bytes: string;
  /** Format with its article. */
  readonly because: string;
  readonly hint: string;
}

/** Identifies a file that is not text by its first bytes, with a hint on what opens it. */
export function howToOpen(bytes: Uint8Array, because: string): NoText {
  const head = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  const known = signatures.find(({ at = 0, bytes: magic }) => head.startsWith(magic, at));
  if (known !== undefined) {
    return { because: known.because, says: `is ${known.because}, not text.`, hint: known.hint };
  }
  return {
    because,
    says: `is not text: it has ${because}.`,
    hint: "Use a program made for this kind of file.",
  };
}

const list = (command: string): string => `List what is in it with a command such as ${command}.`;

/** The order matters for shared beginnings. */
const signatures: readonly Signature[] = [
  { bytes: "PK\x03\x04", because: "a ZIP archive", hint: list("unzip -l") },
  { bytes: "\x1F\x8B", because: "a gzip archive", hint: "Read it with a command such as zcat." },
  { bytes: "BZh", because: "a bzip2 archive", hint: "Read it with a command such as bzcat." },
  { bytes: "\xFD7zXZ", because: "an xz archive", hint: "Read it with a command such as xzcat." },
  { bytes: "\x28\xB5\x2F\xFD", because: "a zstd archive", hint: "Read it with zstdcat." },
  { bytes: "7z\xBC\xAF", because: "a 7z archive", hint: list("7z l") },
  { bytes: "Rar!", because: "a RAR archive", hint: list("unrar l") },
  { at: 257, bytes: "ustar", because: "a tar archive", hint: list("tar -tf") },
  { bytes: "SQLite format 3\0", because: "an SQLite database", hint: "Query it with sqlite3." },
  { bytes: "\x7FELF", because: "an ELF program", hint: "Look at it with file, nm or readelf." },
  { bytes: "\xCF\xFA\xED\xFE", because: "a Mach-O program", hint: "Look at it with otool." },
  { bytes: "\xCA\xFE\xBA\xBE", because: "a Java class", hint: "Look at it with javap." },
  { bytes: "MZ", because: "a Windows program", hint: "Look at it with file or objdump." },
  { bytes: "\0asm", because: "a WebAssembly module", hint: "Look at it with wasm-objdump." },
  { bytes: "BM", because: "a BMP image", hint: "Convert it to PNG first." },
  { bytes: "\0\0\x01\0", because: "an icon", hint: "Convert it to PNG first." },
  { bytes: "8BPS", because: "a Photoshop image", hint: "Convert it to PNG first." },
  { bytes: "ID3", because: "MP3 audio", hint: "Ask ffprobe what is in it." },
  { bytes: "OggS", because: "Ogg media", hint: "Ask ffprobe what is in it." },
  { bytes: "fLaC", because: "FLAC audio", hint: "Ask ffprobe what is in it." },
  { at: 8, bytes: "WAVE", because: "WAV audio", hint: "Ask ffprobe what is in it." },
  { at: 8, bytes: "AVI ", because: "an AVI video", hint: "Ask ffprobe what is in it." },
  { bytes: "\x1A\x45\xDF\xA3", because: "a Matroska video", hint: "Ask ffprobe what is in it." },
  { at: 4, bytes: "ftyp", because: "an MP4 video", hint: "Ask ffprobe what is in it." },
  { bytes: "wOF", because: "a web font", hint: "Look at it with a font program." },
  { bytes: "PAR1", because: "a Parquet table", hint: "Query it with a program such as duckdb." },
  {
    bytes: "\xD0\xCF\x11\xE0",
    because: "an old Office document",
    hint: "Convert it first, for example with libreoffice --headless.",
  },
];
