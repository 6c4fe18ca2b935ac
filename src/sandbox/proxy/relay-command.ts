import { programCommand } from "../program-file.ts";

/** Fixed port: nothing else listens in a new network namespace. */
const port = 3128;
const address = `http://127.0.0.1:${port}`;

/** Prefix of a command that reaches listed hosts: a relay that listens inside and forwards through a descriptor. */
export function relayCommand(descriptor: number): readonly string[] {
  return [...programCommand("relay"), String(descriptor), String(port), "--"];
}

/** Variables that point programs to the proxy; there is no common one, so all of them are set. */
export const relayEnvironment: Readonly<Record<string, string>> = Object.fromEntries([
  ...["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => [
    [name, address],
    [name.toUpperCase(), address],
  ]),
  ["NO_PROXY", "localhost,127.0.0.1,::1"],
  ["no_proxy", "localhost,127.0.0.1,::1"],
  ["NODE_USE_ENV_PROXY", "1"],
]);
