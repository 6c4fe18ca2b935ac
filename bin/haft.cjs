#!/usr/bin/env node
"use strict";
// Old syntax on purpose: whatever Node starts this file must be able to say that it is too old.
var needed = [22, 13];

function isNewEnough(version) {
  var parts = version.split(".").map(Number);
  return parts[0] > needed[0] || (parts[0] === needed[0] && parts[1] >= needed[1]);
}

/** A newer Node that came through npm, if one is installed next to this package. */
function bundledNode() {
  var platform = process.platform === "win32" ? "win" : process.platform;
  var file = process.platform === "win32" ? "node.exe" : "bin/node";
  try {
    return require.resolve("node-" + platform + "-" + process.arch + "/" + file);
  } catch {
    return undefined;
  }
}

function runWith(node) {
  var child = require("node:child_process").spawn(
    node,
    [__filename].concat(process.argv.slice(2)),
    {
      stdio: "inherit",
    },
  );
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("exit", function (code, signal) {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code);
  });
}

function main() {
  var argument = process.argv[2];
  if (argument === "--version" || argument === "-v" || argument === "-V") {
    process.stdout.write(require("../package.json").version + "\n");
    return;
  }
  if (!isNewEnough(process.versions.node)) {
    var node = bundledNode();
    if (node) {
      runWith(node);
      return;
    }
    process.stderr.write(
      "haft needs Node " +
        needed.join(".") +
        " or newer; this is " +
        process.versions.node +
        ". Install a newer Node and run it again.\n",
    );
    process.exitCode = 2;
    return;
  }
  var module = require("node:module");
  if (module.enableCompileCache) module.enableCompileCache();
  import("../dist/cli/main.js").then(
    function (cli) {
      return cli.main(process.argv.slice(2));
    },
    function (error) {
      var isUnbuilt =
        error && error.code === "ERR_MODULE_NOT_FOUND" && /dist.cli.main/.test(error.message);
      process.stderr.write(
        isUnbuilt
          ? "haft is not built yet. Run `npm run build` in its folder first.\n"
          : "haft could not start: " + (error && error.stack ? error.stack : error) + "\n",
      );
      process.exitCode = 1;
    },
  );
}

main();
