import { expect, test } from "vitest";
import { inferRefusedActions } from "./infer-refused-actions.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import { plainPolicy } from "./probe/cache.ts";

const policy: SandboxPolicy = {
  ...plainPolicy,
  workspace: "/work",
  writable: [{ path: "/work", kind: "directory" }],
};

test.each([
  {
    stderr: "curl: (6) Could not resolve host: registry.npmjs.org",
    is: [{ kind: "connect", host: "registry.npmjs.org" }],
    because: "curl names the host",
  },
  {
    stderr:
      "npm error request to https://registry.npmjs.org/x failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org",
    is: [{ kind: "connect", host: "registry.npmjs.org" }],
    because: "npm names it twice, once is enough",
  },
  {
    stderr:
      "fatal: unable to access 'https://git.example.org:8443/x.git/': Could not resolve host: git.example.org",
    is: [{ kind: "connect", host: "git.example.org" }],
    because: "git quotes the address",
  },
  {
    stderr: "connect: Network is unreachable",
    is: [{ kind: "connect" }],
    because: "no host is known, but that it was the network is",
  },
  {
    stderr: "request to https://example.org:8443/x failed: getaddrinfo ENOTFOUND",
    is: [{ kind: "connect", host: "example.org", port: 8443 }],
    because: "the address names the port",
  },
  {
    stderr: "Error: connect EPERM own.sock",
    cwd: "/work/src",
    is: [{ kind: "socket", path: "/work/src/own.sock" }],
    because: "a relative socket is where the command ran",
  },
  {
    stderr: "Error: listen EPERM /run/own.sock",
    cwd: "/work/src",
    is: [{ kind: "socket", path: "/run/own.sock" }],
    because: "an absolute one is where it says",
  },
])("$stderr: $because", ({ stderr, cwd, is }) => {
  const found = inferRefusedActions(
    { code: 1, stderr, ...(cwd === undefined ? {} : { cwd }) },
    policy,
  );

  expect(found.map(({ reason: _reason, ...what }) => what)).toEqual(is);
  for (const { reason } of found) expect(stderr).toContain(reason);
});

test("an open network is never the reason", () => {
  const stderr = "curl: (6) Could not resolve host: nowhere.invalid";

  expect(
    inferRefusedActions({ code: 6, stderr }, { ...policy, network: { kind: "open" } }),
  ).toEqual([]);
});

test.each([
  {
    stderr: "Error: listen EPERM: operation not permitted own.sock",
    is: [{ kind: "socket", path: "/work/own.sock" }],
    because: "Node names the path",
  },
  {
    stderr: "Error: connect EPERM /run/x.sock - Local (undefined:undefined)",
    is: [{ kind: "socket", path: "/run/x.sock" }],
    because: "no rule that lets it be changed would help",
  },
  {
    stderr: "socket: Operation not permitted at -e line 1.",
    is: [{ kind: "socket" }],
    because: "those of the internet are allowed",
  },
  {
    stderr:
      "    _socket.socket.__init__(self, family, type, proto, fileno)\nPermissionError: [Errno 1] Operation not permitted",
    is: [{ kind: "socket" }],
    because: "Python says it a line before",
  },
  {
    stderr:
      "    _socket.socket.__init__(self, family)\n    ~~~~^^^^\nPermissionError: [Errno 1] Operation not permitted",
    is: [{ kind: "socket" }],
    because: "newer ones point at it",
  },
  {
    stderr: "Error: listen EACCES: permission denied 0.0.0.0:80",
    is: [],
    because: "a low port is for root alone, wherever it is",
  },
  {
    stderr: "Error: connect EPERM 127.0.0.1:9 - Local (undefined:undefined)",
    is: [],
    because: "it is an address, and the network is open",
  },
])("$stderr with an open network, because $because", ({ stderr, is }) => {
  const open: SandboxPolicy = { ...policy, network: { kind: "open" } };

  const found = inferRefusedActions({ code: 1, stderr }, open);

  expect(found.map(({ reason: _reason, ...what }) => what)).toEqual(is);
});

test("with a closed network an address that was refused is a connection", () => {
  const stderr = "Error: connect EPERM 127.0.0.1:9 - Local (undefined:undefined)";

  expect(inferRefusedActions({ code: 1, stderr }, policy)).toEqual([
    { kind: "connect", reason: stderr },
  ]);
});

test("Python's report of a socket is its last line, and none where the network is closed", () => {
  const last = "PermissionError: [Errno 1] Operation not permitted";
  const stderr = `    _socket.socket.__init__(self, family)\n${last}`;

  expect(
    inferRefusedActions({ code: 1, stderr }, { ...policy, network: { kind: "open" } }),
  ).toEqual([{ kind: "socket", reason: last }]);
  expect(inferRefusedActions({ code: 1, stderr }, policy)).toEqual([]);
});
