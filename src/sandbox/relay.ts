/**
 * Runs inside a sandbox, in front of a command: `relay <descriptor> <port> -- <argv>`. Forwards connections to the port
 * through the descriptor; the process on the other side decides which hosts may be reached.
 */
import { spawn } from "node:child_process";
import { createServer, Socket } from "node:net";
import { constants } from "node:os";
import { sharedChannel } from "./proxy/shared-channel.ts";

const [descriptor, port, , program = "", ...parameters] = process.argv.slice(2);
const channel = sharedChannel(new Socket({ fd: Number(descriptor) }));
const server = createServer({ allowHalfOpen: true }, (client) => {
  const stream = channel.open();
  client.on("error", () => stream.destroy());
  client.on("close", () => stream.destroy());
  stream.on("close", () => client.destroy());
  client.pipe(stream);
  stream.pipe(client);
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, parameters, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`${program}: ${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => child.kill(signal));
  }
});
