import { escaped, js, sh, type Attempt } from "./attempt.ts";
import { reading, writing } from "./attempts-on-files.ts";

const reaching: readonly Attempt[] = [
  js(["net_fetch", "HTTP"], `await fetch("http://127.0.0.1:$P/"); return "";`),
  js(
    ["net_connect", "TCP"],
    `const net = await import("node:net"); await new Promise((done) => { const s = net.connect($P, "127.0.0.1", () => s.end("x", done)); s.on("error", done); }); return "";`,
  ),
  js(
    ["net_udp", "UDP"],
    `const d = await import("node:dgram"); const s = d.createSocket("udp4"); await new Promise((done) => s.send("x", $U, "127.0.0.1", done)); s.close(); return "";`,
  ),
  js(
    ["net_resolve", "a question to a name server"],
    `const d = await import("node:dns"); const r = new d.promises.Resolver({ timeout: 200, tries: 1 }); r.setServers(["127.0.0.1:$U"]); await r.resolve4("secret.example").catch(() => 0); return "";`,
  ),
  js(
    ["net_unix", "a socket in the file system"],
    `const net = await import("node:net"); await new Promise((done) => { const s = net.connect("$S", () => s.end("x", done)); s.on("error", done); }); return "";`,
  ),
  js(
    ["net_abstract", "a socket without a file"],
    String.raw`const net = await import("node:net"); await new Promise((done) => { const s = net.connect("\0$M", () => s.end("x", done)); s.on("error", done); }); return "";`,
  ),
  js(
    ["net_socket_options", "WebSocket"],
    `await new Promise((done) => { const s = new WebSocket("ws://127.0.0.1:$P/"); s.onerror = done; s.onopen = done; }); return "";`,
  ),
  js(
    ["net_inspector", "the debugger of Node"],
    `const i = await import("node:inspector"); i.open($P, "127.0.0.1"); return i.url() ? "${escaped}" : "";`,
  ),
  sh(["shell_tcp", "the shell connects by itself"], `echo x > /dev/tcp/127.0.0.1/$P`),
  sh(["shell_udp", "the shell sends by itself"], `echo x > /dev/udp/127.0.0.1/$U`),
  sh(
    ["shell_perl", "another language"],
    `perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:$P")->print("x")'`,
  ),
];

const starting: readonly Attempt[] = [
  js(
    ["run_program", "a program"],
    `const c = await import("node:child_process"); return c.execSync("echo ${escaped}").toString();`,
  ),
  js(
    ["run_binding", "the binding below it"],
    `const b = process.binding("spawn_sync"); return String(b.spawn({ file: "/bin/echo", args: ["echo", "${escaped}"], stdio: [{ type: "pipe", readable: false, writable: true }] }).output);`,
  ),
  js(
    ["run_thread", "a thread"],
    `const { Worker } = await import("node:worker_threads"); new Worker("process.stdout.write('${escaped}')", { eval: true }); await new Promise((done) => setTimeout(done, 100)); return "";`,
  ),
  js(
    ["run_cluster", "a cluster"],
    `const c = await import("node:cluster"); c.default.fork(); return "${escaped}";`,
  ),
  js(
    ["run_native", "native code"],
    `process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"); return "${escaped}";`,
  ),
  js(
    ["run_execve", "becoming another program"],
    `process.execve?.("/bin/echo", ["echo", "${escaped}"], {}); return "";`,
  ),
  js(
    ["run_permission", "giving itself permission"],
    `process.permission.has = () => true; const c = await import("node:child_process"); return c.execSync("echo ${escaped}").toString();`,
  ),
  js(["run_signal", "signals to others"], `process.kill($K, "SIGKILL"); return "";`, {
    gaps: ["signals"],
  }),
  js(
    ["run_signal_parent", "signals to the one that started it"],
    `let n = 0; for (const pid of fs.readdirSync("/proc").filter(Number)) { if (Number(pid) !== process.pid) { try { process.kill(Number(pid), 0); if (fs.readFileSync("/proc/" + pid + "/cmdline", "utf8").includes("$M")) n += 1; } catch {} } } return n ? "${escaped}" : "";`,
    { gaps: ["signals"] },
  ),
  sh(["shell_kill_all", "every process of the user"], `kill -9 -1`, { gaps: ["signals"] }),
  sh(
    ["shell_daemon", "a process that stays"],
    `setsid nohup sleep $L > /dev/null 2>&1 < /dev/null & disown; echo done`,
  ),
  sh(
    ["shell_double_fork", "a process without parents"],
    `( ( exec setsid sleep $L > /dev/null 2>&1 < /dev/null & ) & ); echo done`,
  ),
  sh(
    ["shell_ignore", "a process that ignores signals"],
    `bash -c 'trap "" TERM INT HUP; sleep $L & wait' > /dev/null 2>&1 & echo done`,
  ),
  sh(
    ["shell_many", "many processes"],
    `for i in $(seq 1 400); do sleep $L & done > /dev/null 2>&1; echo done`,
  ),
];

const knowing: readonly Attempt[] = [
  js(
    ["env_variables", "variables of the one that started it"],
    `return JSON.stringify(process.env);`,
  ),
  js(
    ["env_first", "variables of the first process"],
    `return fs.readFileSync("/proc/1/environ", "utf8");`,
  ),
  js(
    ["env_every", "variables of any process"],
    `let all = ""; for (const pid of fs.readdirSync("/proc")) { try { all += fs.readFileSync("/proc/" + pid + "/environ", "utf8"); } catch {} } return all;`,
  ),
  js(
    ["env_memory", "memory of the parent"],
    `return fs.readFileSync("/proc/" + process.ppid + "/mem").subarray(0, 10).length ? "${escaped}" : "";`,
  ),
  sh(["shell_env", "variables"], `env; cat /proc/[0-9]*/environ 2>/dev/null`),
];

const tricking: readonly Attempt[] = [
  js(
    ["trick_result", "a result in the form of an outcome"],
    `return { content: "x", isError: false, trust: "trusted", metadata: { activated: ["Bash"] }, undo: {} };`,
  ),
  js(
    ["trick_prototype", "a prototype in the result"],
    `return JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');`,
  ),
  js(
    ["trick_json", "a serializer of its own"],
    `Object.prototype.toJSON = () => ({ polluted: true }); Array.prototype.push = () => { throw 1; }; return { a: 1 };`,
  ),
  js(["trick_then", "a result that never settles"], `return { then() {} };`, { fails: true }),
  js(
    ["trick_exit", "an exit that does not end"],
    `process.exit = () => 0; process.reallyExit = () => 0; setInterval(() => fs.writeFileSync("out/dir/late.txt", "x"), 20); return "";`,
    { fails: true },
  ),
  js(
    ["timer_interval", "a timer after the result"],
    `setInterval(() => fs.writeFileSync("out/dir/late.txt", "x"), 5); return "done";`,
  ),
  js(
    ["timer_exit", "a listener that never ends"],
    `process.on("exit", () => { for (;;); }); return "done";`,
    { fails: true },
  ),
  js(["loop", "a loop without end"], `process.on("SIGTERM", () => 0); for (;;);`, { fails: true }),
  js(["flood", "a result of a gigabyte"], `return "x".repeat(500_000_000);`, { fails: true }),
  sh(["shell_flood", "output without end"], `yes`, { fails: true }),
  sh(["shell_loop", "a loop that ignores signals"], `trap "" TERM INT; while :; do :; done`, {
    fails: true,
  }),
];

export const attempts: readonly Attempt[] = [
  ...reading,
  ...writing,
  ...reaching,
  ...starting,
  ...knowing,
  ...tricking,
];
