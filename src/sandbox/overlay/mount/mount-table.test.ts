import { expect, test } from "vitest";
import { mountTable } from "./mount-table.ts";

test("a passthrough directory is held aside before the overlay covers it, and mounted again after", () => {
  const table = mountTable({
    tag: "haft-overlay-1",
    form: "user",
    roots: ["/work/a", "/git"],
    through: ["/work/a/node_modules"],
  });
  expect(table).toMatchInlineSnapshot(`
    "/work/a/node_modules t0 none rbind 0 0
    haft-overlay-1 /work/a overlay lowerdir=l0,upperdir=u0,workdir=w0,userxattr,volatile 0 0
    haft-overlay-1 /git overlay lowerdir=l1,upperdir=u1,workdir=w1,userxattr,volatile 0 0
    t0 /work/a/node_modules none rbind 0 0
    "
  `);
});

test("a process that may mount keeps all names of a file together, and can move a directory", () => {
  const table = mountTable({ tag: "t", form: "mount", roots: ["/a"], through: [] });
  expect(table).toBe(
    "t /a overlay lowerdir=l0,upperdir=u0,workdir=w0,index=on,redirect_dir=on,metacopy=off,xino=off,volatile 0 0\n",
  );
});

test("a path cannot begin another field or line, or a comment", () => {
  const table = mountTable({ tag: "t", form: "user", roots: ["/a b\tc\nd\\e#f"], through: [] });
  expect(table.split(" ")[1]).toBe(String.raw`/a\040b\011c\012d\134e\043f`);
});
