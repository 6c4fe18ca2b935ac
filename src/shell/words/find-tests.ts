/** Argument of a predicate: none, text, a file that is read, a file that is written, or a command to run. */
export type Takes =
  | "nothing"
  | "text"
  | "file"
  | "output"
  | "output-format"
  | "command"
  | "refused";

const predicates: ReadonlyMap<string, Takes> = new Map<string, Takes>([
  ...predicate(
    "nothing",
    "-not -a -and -o -or ( ) , ! -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev -x -warn -nowarn -noleaf -empty -executable -readable -writable -nouser -nogroup -true -false -print -print0 -ls -prune -quit -help -version --help --version",
  ),
  ...predicate(
    "text",
    "-maxdepth -mindepth -regextype -amin -atime -cmin -ctime -mmin -mtime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -name -path -perm -regex -size -type -uid -used -user -wholename -xtype -context -printf -Bmin -Btime -flags -depthlimit",
  ),
  ...predicate("file", "-anewer -cnewer -newer -samefile"),
  ...predicate("output", "-fprint -fprint0 -fls"),
  ...predicate("output-format", "-fprintf"),
  ...predicate("command", "-exec -execdir -ok -okdir"),
  ["-delete", "refused"],
  ["-files0-from", "refused"],
]);

/** Tests that compare one timestamp with another, such as `-newermt`. */
const newer = /^-newer([aBcm])([aBcmt])$/u;

/** Argument that a predicate of `find` takes; undefined if the predicate is unknown. */
export function findTest(name: string): Takes | undefined {
  const known = predicates.get(name);
  if (known !== undefined) return known;
  const times = newer.exec(name);
  if (times === null) return undefined;
  return times[2] === "t" ? "text" : "file";
}

function predicate(takes: Takes, names: string): (readonly [string, Takes])[] {
  return names.split(" ").map((name) => [name, takes] as const);
}
