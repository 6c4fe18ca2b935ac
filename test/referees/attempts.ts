/**
 * Attempts of a hostile program, as text given to Node in a workspace that holds its facts. It prints what only it can
 * see; whatever reaches another process is seen there.
 */
export const attemptsProgram = String.raw`
const fs = require("node:fs"), net = require("node:net"), dgram = require("node:dgram");
const { spawn, spawnSync } = require("node:child_process");
const at = JSON.parse(fs.readFileSync("facts.json", "utf8"));
const attempt = (what) => { try { return what() ?? true; } catch (error) { return error.code ?? String(error); } };
const found = {
  secret: attempt(() => fs.readFileSync(at.S, "utf8")),
  signal: attempt(() => process.kill(Number(at.VICTIM), 0)),
  sees: attempt(() => fs.readFileSync("/proc/" + at.VICTIM + "/cmdline", "utf8").includes(at.MARK)),
  status: Object.fromEntries(fs.readFileSync("/proc/self/status", "utf8").split("\n").map((line) => line.split(":\t"))
    .filter(([name]) => ["CapEff", "NoNewPrivs", "Seccomp"].includes(name))),
  // The errno of making such a socket, 0 where one is made.
  vsock: Number(spawnSync("perl", ["-e", 'print socket(my $s, 40, 1, 0) ? 0 : $! + 0'], { encoding: "utf8" }).stdout),
};
for (const name of [at.O + "/made", at.O + "/file", at.H + "/.profile", at.O + "/empty/made"]) attempt(() => fs.writeFileSync(name, "x"));
attempt(() => fs.rmSync(at.O + "/held"));
attempt(() => fs.renameSync(at.O + "/grouped", at.O + "/moved"));
attempt(() => fs.symlinkSync("x", at.O + "/link"));
spawnSync("mount", ["-o", "remount,bind,rw", at.O]);
spawnSync("unshare", ["--user", "--map-root-user", "--mount", "mount", "-o", "remount,bind,rw", at.O]);
attempt(() => fs.writeFileSync(at.O + "/later", "x"));
spawn("setsid", ["sh", "-c", "while :; do sleep 1; done"], { env: { ...process.env, MARK: at.MARK }, stdio: "ignore", detached: true }).unref();
const reach = (options) => new Promise((done) => {
  try { net.connect(options).on("error", done).on("connect", done); } catch (error) { done(error); }
});
const send = () => new Promise((done) => {
  try {
    const socket = dgram.createSocket("udp4").on("error", done);
    socket.send("x", Number(at.UDP), "127.0.0.1", () => { socket.close(); done(); });
  } catch (error) { done(error); }
});
Promise.all([reach({ host: "127.0.0.1", port: Number(at.PORT) }), reach({ path: at.SOCK }),
  reach({ path: String.fromCharCode(0) + at.ABSTRACT }), send()])
  .then(() => { process.stdout.write(JSON.stringify(found)); process.exit(0); });
`;

/** Observations of the program itself. */
export interface Seen {
  readonly secret: string | boolean;
  readonly signal: string | boolean;
  readonly sees: string | boolean;
  readonly status: Readonly<Record<string, string>>;
  readonly vsock: number;
}
