import { escaped, js, sh, type Attempt } from "./attempt.ts";

export const reading: readonly Attempt[] = [
  js(["read_absolute", "the plainest of all"], `return fs.readFileSync("$W/secret.txt", "utf8");`),
  js(
    ["read_relative", "the workspace is the working directory"],
    `return fs.readFileSync("secret.txt", "utf8");`,
  ),
  js(
    ["read_dots", "`..` leaves what is declared"],
    `return fs.readFileSync("$W/in/../secret.txt", "utf8");`,
  ),
  js(
    ["read_link", "a link in a declared directory"],
    `fs.symlinkSync("$W/secret.txt", "out/dir/l1"); return fs.readFileSync("out/dir/l1", "utf8");`,
  ),
  js(
    ["read_hard_link", "a second name of the file"],
    `fs.linkSync("$W/secret.txt", "out/dir/l2"); return fs.readFileSync("out/dir/l2", "utf8");`,
  ),
  js(
    ["read_copy", "copying reads"],
    `fs.cpSync("$W/secret.txt", "out/dir/copy.txt"); return fs.readFileSync("out/dir/copy.txt", "utf8");`,
  ),
  js(
    ["read_self_root", "/proc names the root again"],
    `return fs.readFileSync("/proc/self/root$W/secret.txt", "utf8");`,
  ),
  js(
    ["read_first_root", "the root of the first process"],
    `return fs.readFileSync("/proc/1/root$W/secret.txt", "utf8");`,
  ),
  js(
    ["read_every_root", "the root of any process"],
    `
    let all = "";
    for (const pid of fs.readdirSync("/proc")) {
      try { all += fs.readFileSync("/proc/" + pid + "/root$O/secret.txt", "utf8"); } catch {}
    }
    return all;`,
  ),
  js(
    ["read_descriptors", "descriptors that were left open"],
    `
    let all = "";
    for (let fd = 3; fd < 64; fd += 1) { try { all += fs.readFileSync("/dev/fd/" + fd, "utf8"); } catch {} }
    return all;`,
    { fails: true },
  ),
  js(
    ["read_fetch_file", "fetch of a file"],
    `return await (await fetch("file://$W/secret.txt")).text();`,
  ),
  js(
    ["read_import", "an import reads"],
    `return JSON.stringify(await import("file://$W/secret.json", { with: { type: "json" } }));`,
  ),
  js(
    ["read_require", "require reads"],
    `const { createRequire } = await import("node:module"); return JSON.stringify(createRequire("file://$W/x.js")("./secret.json"));`,
  ),
  js(
    ["read_environment_file", "Node reads files of variables"],
    `process.loadEnvFile("$W/secret.env"); return process.env.FILE_SECRET;`,
  ),
  js(
    ["read_binding", "bindings below node:fs"],
    `const b = process.binding("fs"); return String(b.readFileUtf8("$W/secret.txt", 0));`,
  ),
  js(
    ["read_home", "the home directory"],
    `const os = await import("node:os"); return fs.readdirSync(os.homedir()).includes(".haft-created-test") ? "${escaped}" : "";`,
    { gaps: ["hidden-names"] },
  ),
  js(
    ["read_names", "names are facts too"],
    `return fs.readdirSync("$O").includes("secret.txt") ? "${escaped}" : "";`,
    { gaps: ["hidden-names"] },
  ),
  js(
    ["read_snapshot", "Node writes heap snapshots, not files of others"],
    `const v8 = await import("node:v8"); v8.writeHeapSnapshot("$O/heap"); return "";`,
  ),
  sh(["shell_cat", "the plainest of all"], `cat "$W/secret.txt"`),
  sh(
    ["shell_redirect", "the shell opens the file"],
    `read -r line < "$W/secret.txt"; echo "$line"`,
  ),
  sh(
    ["shell_find", "wherever it is"],
    `find /tmp /root /home -name secret.txt -exec cat {} + 2>/dev/null`,
  ),
  sh(["shell_link", "through a link"], `ln -s "$O/secret.txt" out/dir/l3; cat out/dir/l3`),
  sh(["shell_tar", "an archive reads all"], `tar -cf - "$W" 2>/dev/null | cat`),
  sh(
    ["shell_mount", "a mount shows what is below"],
    `mount --bind "$O" out/dir 2>/dev/null; cat out/dir/secret.txt`,
  ),
  sh(
    ["shell_unshare", "a namespace with rights of its own"],
    `unshare -rm sh -c 'umount -l /; cat "$O/secret.txt"'`,
  ),
  sh(["shell_enter", "the namespace of the first process"], `nsenter -t 1 -m cat "$O/secret.txt"`),
  sh(
    ["shell_every_root", "the root of any process"],
    `cat /proc/[0-9]*/root$O/secret.txt 2>/dev/null`,
  ),
  sh(
    ["shell_descriptors", "descriptors that were left open"],
    `for n in 3 4 5 6 7 8 9; do cat <&$n; done 2>/dev/null`,
  ),
];

export const writing: readonly Attempt[] = [
  js(
    ["write_workspace", "a file next to the declared ones"],
    `fs.writeFileSync("$W/new.txt", "x"); return "";`,
  ),
  js(["write_outside", "a file elsewhere"], `fs.writeFileSync("$O/new.txt", "x"); return "";`),
  js(
    ["write_read_only", "what may be read may not be written"],
    `fs.appendFileSync("in/data.txt", "x"); return "";`,
  ),
  js(
    ["write_own_files", "a tool that changes itself"],
    `fs.writeFileSync("$W/.haft/tools/write_own_files/run.mjs", "x"); return "";`,
  ),
  js(
    ["write_link", "through a link"],
    `fs.symlinkSync("$O/file.txt", "out/dir/l4"); fs.writeFileSync("out/dir/l4", "x"); return "";`,
  ),
  js(
    ["write_chdir", "from another directory"],
    `process.chdir("$O"); fs.writeFileSync("new2.txt", "x"); return "";`,
  ),
  js(
    ["write_rename", "moving is writing"],
    `fs.renameSync("$W/secret.txt", "out/dir/moved.txt"); return "";`,
  ),
  js(["write_unlink", "removing is writing"], `fs.unlinkSync("$O/file.txt"); return "";`),
  js(["write_truncate", "emptying is writing"], `fs.truncateSync("$O/file.txt", 1); return "";`),
  js(
    ["write_directory", "a directory is a change"],
    `fs.mkdirSync("$W/new-directory"); return "";`,
  ),
  js(["write_mode", "so is a mode"], `fs.chmodSync("$O/file.txt", 0o777); return "";`, {
    gaps: ["attributes"],
  }),
  js(["write_time", "so is a time"], `fs.utimesSync("$O/file.txt", 1, 1); return "";`, {
    gaps: ["attributes"],
  }),
  js(
    ["write_node", "the program that runs it"],
    `fs.appendFileSync(process.execPath, ""); fs.chmodSync(process.execPath, 0o777); return "";`,
    { gaps: ["attributes"] },
  ),
  js(
    ["write_temporary", "the directory of everyone"],
    `fs.writeFileSync("/tmp/$M", "x"); return "";`,
  ),
  js(
    ["write_shared_memory", "files in memory"],
    `fs.writeFileSync("/dev/shm/$M", "x"); return "";`,
  ),
  sh(["shell_write", "the plainest of all"], `echo x > "$O/new.txt"`),
  sh(["shell_remove", "all of it"], `rm -rf "$W/in" "$W/secret.txt" "$O/file.txt"`),
  sh(["shell_move", "over a file"], `echo x > out/dir/n; mv out/dir/n "$O/file.txt"`),
  sh(
    ["shell_remount", "a mount that can be written"],
    `mount -o remount,rw "$W" 2>/dev/null; echo x > "$W/new3.txt"`,
  ),
  sh(["shell_kernel", "settings of the kernel"], `echo "$M" > /proc/sys/kernel/core_pattern`),
];
