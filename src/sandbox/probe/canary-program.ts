/**
 * Runs inside a sandbox under test, as text passed to `node -e`, tries the requested actions and prints which of them
 * worked, or the error code of those that did not. An action that succeeds is harmless: a marker in the probe's own temporary directory, a connection to its own
 * listener.
 */
export const canaryProgram = String.raw`
const fs = require("node:fs"), net = require("node:net"), { spawnSync } = require("node:child_process");
const at = JSON.parse(process.argv[1]);
const did = {};
const attempt = (name, act) => { if (!at.names.includes(name)) return; try { did[name] = act() !== false; } catch (error) { did[name] = error.code ?? false; } };
// Programs of the system by their absolute paths: a driver under test may hold nothing.
const runs = (argv, cwd) => { const r = spawnSync(argv[0], argv.slice(1), { cwd, stdio: "ignore" }); if (r.error) throw r.error; return r.status === 0; };
attempt("write-workspace", () => fs.writeFileSync(at.workspace + "/written", "x"));
attempt("write-temporary", () => fs.writeFileSync(process.env.TMPDIR + "/written", "x"));
attempt("start-process", () => runs([at.programs.sh, "-c", "exit 0"], at.workspace));
attempt("git-commit", () => {
  const git = (...words) => runs([at.programs.git, "-c", "user.name=haft", "-c", "user.email=haft@localhost", ...words], at.workspace);
  return git("init", "-q", "repository") && git("-C", "repository", "commit", "-q", "--allow-empty", "-m", "canary");
});
attempt("write-outside", () => fs.writeFileSync(at.outside + "/written", "x"));
attempt("read-hidden", () => fs.readFileSync(at.secret, "utf8") === "canary");
attempt("write-protected", () => fs.writeFileSync(at.guarded, "changed"));
attempt("rename-pinned", () => fs.renameSync(at.pinned, at.pinned + "-moved"));
attempt("remount", () => runs([at.programs.mount, "-o", "remount,bind,rw", at.outside], at.workspace));
attempt("new-namespace", () => runs([at.programs.unshare, "--user", at.programs.sh, "-c", "exit 0"], at.workspace));
attempt("signal-outside", () => process.kill(at.pid, 0));
let status = "";
try { status = fs.readFileSync("/proc/self/status", "utf8"); } catch {}
attempt("capabilities", () => !/^CapEff:\s+0+$/m.test(status));
attempt("no-filter", () => !/^Seccomp:\s+2$/m.test(status));
const connects = (options) => new Promise((done) => {
  try {
    const socket = net.connect(options);
    socket.on("connect", () => { socket.destroy(); done(true); });
    socket.on("error", () => done(false));
  } catch { done(false); }
});
Promise.all([connects({ host: "127.0.0.1", port: at.port }), connects({ path: at.socket })]).then(([tcp, unix]) => {
  did["connect-tcp"] = tcp;
  did["connect-unix"] = unix;
  process.stdout.write(JSON.stringify(did));
});
`;
