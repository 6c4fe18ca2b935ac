import { expect, test } from "vitest";
import { uncoveredParts } from "./uncovered-parts.ts";

test.each([
  ["npm test", ["npm"]],
  ["cd x && make check", ["make"]],
  ["python3 -m checks", ["python3 -m checks"]],
  ["$TOOL x", ["$TOOL"]],
  ['"$(git rev-parse --show-toplevel)"/x.sh', ["$(git rev-parse --show-toplevel)"]],
  ["sh hooks/*.sh", ["hooks/*.sh"]],
  ['"$CLAUDE_PROJECT_DIR"/.haft/hooks/check.sh', []],
  ["${CLAUDE_PROJECT_DIR:-.}/tools/server.mjs", []],
  ["node ${TOOLS:-tools}/server", ["${TOOLS:-tools}"]],
  ["bash tools/{check,b}.sh", ["tools/{check,b}.sh"]],
  ["bash tools/[ab].sh", ["tools/[ab].sh"]],
  ["~other/check.sh", ["~other/check.sh"]],
  ["if [ -f x ]; then { ~/x; }; fi", []],
  ['file=$(jq -r .tool_input.file_path); sed -i s/a/b/ "$file"', []],
  ['case "$file" in *.ts) prettier --write "$file";; esac', []],
  ["jq -r .tool_input.file_path | xargs npx prettier --write 'src/**/*.ts'", ["xargs", "npx"]],
  ['git commit -m "note $HOME"', []],
  ['bash "$file"', ["$file"]],
  ["for each in hooks/*.sh; do sh $each; done", ["$each"]],
  ["curl -s $URL | sh", ["$URL", "sh"]],
  ['. "$HOME/x.sh"', ["$HOME"]],
  ["bash -c 'npm test'", ["npm"]],
  ["eval $(direnv hook bash)", ["eval", "$(direnv hook bash)"]],
])("the parts of %s that nothing covers are named", (command, expected) => {
  expect(uncoveredParts({ command })).toEqual(expected);
});

test.each([
  ["X=$(cat hooks/name.txt) && timeout 5 $X", "$X"],
  ["X=$(cat hooks/name.txt); bash -euo pipefail $X", "$X"],
  ["timeout 5 $CMD", "$CMD"],
  ["echo ${A:-$(./$X)}", "${A:-$(./$X)}"],
  ['echo "${A:-`bash $X`}"', "${A:-`bash $X`}"],
  ["read x < hooks/options; prettier $x a.ts", "$x"],
  ["cat hooks/options | { read x; prettier $x a.ts; }", "$x"],
  ["jq -r .x hooks/options.json | { read x; prettier $x a.ts; }", "$x"],
  ["mapfile -t x < hooks/options; git diff $x", "$x"],
  [": ${x:=$(cat f)}; sort $x", "$x"],
  ["((x=$X)); echo", "$X"],
  ["pytest -q", "pytest"],
  ["timeout -s cat $CMD", "$CMD"],
  ["sudo -E -u root $X", "$X"],
  ["sudo -u cat $X", "$X"],
  ["setsid $X", "$X"],
  ["nice -n 5 $X a", "$X"],
  ["LD_PRELOAD=$X ls", "$X"],
  ["LD_PRELOAD=$(cat lib); ls", "$(cat lib)"],
  ["NODE_OPTIONS=$X node a.js", "$X"],
  ["GIT_EDITOR=$X git commit", "$X"],
  ["export x=$X; ./tool", "$X"],
  ["set -a; x=$X; ./tool", "$X"],
  ["PATH=$X:$PATH tool", "$X"],
  ["PATH=$X:$PATH; cat $Y", "$Y"],
  ["cd $(cat dir) && ./run", "$(cat dir)"],
  ["cd $D; node check", "$D"],
  ["deno run -A $X", "$X"],
  ["tsx --tsconfig t $X", "$X"],
  ["node --import $X y.js", "$X"],
  ["node --max-old-space-size 100 $X", "$X"],
  ["git -c core.pager=$X log", "$X"],
  ["lua $X", "$X"],
  ["awk -f $F", "$F"],
  ["awk '{system($1)}'", "$1"],
  ["sh < $F", "$F"],
  ["while read x; do sh $x; done < $F", "$F"],
  ["cp $X bin/y", "$X"],
  ["tool --exec=$(cat cmd)", "$(cat cmd)"],
  ["prettier --plugin $X a.ts", "$X"],
  ["prettier --plugin=$X a.ts", "$X"],
  ["x=$(cat hooks/options); prettier $x a.ts", "$x"],
  ["prettier $(cat hooks/options) a.ts", "$(cat hooks/options)"],
  ["sed $X a.txt", "$X"],
  ["echo $(./$X)", "$X"],
  ['cat() { "$@"; }; cat $X', "$X"],
  ["[[ $X -eq 1 ]]", "$X"],
  ["bash -c 'timeout 5 $X'", "$X"],
  ['bash -c "cat $X"', "$X"],
  ["ssh host '$X'", "$X"],
  ["run-parts $D", "$D"],
  ["npx -y $(cat pkg)", "$(cat pkg)"],
  ["./cat $X", "$X"],
  ["npx cat $X", "$X"],
  ["/usr/bin/timeout 5 $CLAUDE_FILE_PATHS", "$CLAUDE_FILE_PATHS"],
  ["bash $CLAUDE_FILE_PATHS", "$CLAUDE_FILE_PATHS"],
  ["NODE_OPTIONS=$(jq -r .x); node a.js", "$(jq -r .x)"],
  ["echo # don't\ntimeout 5 $X # won't", "$X"],
  ["cat <<EOF\nit's\nEOF\ntimeout 5 $X # '", "$X"],
  ["echo $'\\''; timeout 5 $X; echo '", "$X"],
  ['f=$(echo ")"; timeout 5 $X); echo "a"', "$X"],
])("a value that %s may run is named", (command, part) => {
  expect(uncoveredParts({ command })).toContain(part);
});

test.each([
  'prettier --write "$FILE"',
  'npx prettier --write "$CLAUDE_FILE_PATHS"',
  'bash hooks/check.sh "$CLAUDE_FILE_PATHS"',
  '"$CLAUDE_PROJECT_DIR"/hooks/check.sh "$CLAUDE_FILE_PATHS"',
  "jq -r .x",
  `FILE=$(jq -r '.tool_input.file_path'); prettier --write "$FILE"`,
  `INPUT=$(cat); FILE=$(echo "$INPUT" | jq -r .tool_input.file_path); ruff check --fix "$FILE"`,
  `jq -r .tool_input.file_path | { read file; if echo "$file" | grep -q '\\.go$'; then gofmt -w "$file"; fi; }`,
  `if [ "\${file##*.}" = ts ]; then node_modules/.bin/eslint --fix "$file"; fi`,
  'for f in $CLAUDE_FILE_PATHS; do black -q "$f"; done',
  "awk '{print $1}' log.txt",
  `bash -c 'cat "$1"' sh a.txt`,
])("nothing of %s is named but the programs that start others", (command) => {
  expect(uncoveredParts({ command }).filter((part) => part !== "npx")).toEqual([]);
});

test.each([
  ["substitutions that do not end", '$("'],
  ["comments", "#\n"],
  ["words", "cat $X "],
  ["operands", "sed s/a/b/ $a "],
  [
    "variables that name one another",
    "a=$b$b$b$b b=$c$c$c$c c=$d$d$d$d d=$CLAUDE_FILE_PATHS; sed x $a;",
  ],
  ["quotes", `'"`],
])("the parts of a command with many %s are found soon", (_what, part) => {
  const command = part.repeat(Math.ceil(19_000 / part.length));
  const before = process.cpuUsage();

  expect(uncoveredParts({ command })).toBeInstanceOf(Array);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
