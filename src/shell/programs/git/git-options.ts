/** Diff options, which most reading subcommands of git share. */
const diff =
  "-pusazbwWRBD -0123 -U: -X? -M? -C? -B? -O:r -S: -G: -I: -l: --patch --no-patch --unified= --output=w --output-indicator-new= --output-indicator-old= --output-indicator-context= --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored= --diff-algorithm= --stat? --stat-width= --stat-name-width= --stat-count= --stat-graph-width= --compact-summary --numstat --shortstat --dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws= --no-color-moved-ws --word-diff? --word-diff-regex= --color-words? --renames --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight= --full-index --binary --abbrev? --no-abbrev --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter= --find-object= --pickaxe-all --pickaxe-regex --skip-to= --rotate-to= --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --inter-hunk-context= --function-context --exit-code --quiet --ext-diff! --no-ext-diff --textconv! --no-textconv --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --default-prefix --line-prefix= --ita-invisible-in-index --ita-visible-in-index --no-pager --no-index --base --ours --theirs --cached --staged --merge-base";

const revisions =
  "-n: -i -E -F -P -g -c -m -r -t -q -L: --max-count= --skip= --since= --after= --since-as-filter= --until= --before= --max-age= --min-age= --author= --committer= --grep-reflog= --grep= --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges --min-parents= --max-parents= --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all --branches? --tags? --remotes? --glob= --exclude= --exclude-hidden= --reflog --alternate-refs! --single-worktree --ignore-missing --bisect --stdin --cherry-mark --cherry-pick --left-only --right-only --cherry --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse --simplify-merges --ancestry-path? --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --pretty? --format= --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs? --no-expand-tabs --notes? --no-notes --show-notes? --show-notes-by-default --standard-notes --no-standard-notes --show-signature! --no-show-signature --relative-date --date= --parents --children --left-right --graph --no-graph --show-linear-break? --cc --combined-all-paths --diff-merges= --no-diff-merges --remerge-diff --dd --follow --no-decorate --decorate? --decorate-refs= --decorate-refs-exclude= --clear-decorations --source --mailmap --no-mailmap --use-mailmap --no-use-mailmap --full-diff --log-size --count --use-bitmap-index --disk-usage? --objects --timestamp --header --no-commit-header --commit-header";

const refs =
  "--format= --sort= --count= --points-at= --contains --no-contains --merged --no-merged --color? --no-color --ignore-case --omit-empty -i --column? --no-column";

export type GitClass = "general" | "search" | "list" | "read";

/** Subcommand that only reads. */
export interface GitRow {
  readonly options: string;
  readonly is?: GitClass;
  /** `names`: operands are only looked up; `none`: an operand would be created or changed. */
  readonly operands?: "names" | "none";
  /** Options with which operands are only looked up, despite `operands`. */
  readonly listing?: readonly string[];
  /** Permitted values of the first operand. */
  readonly verbs?: readonly string[];
  /** Maximum number of operands. */
  readonly most?: number;
  readonly numbers?: boolean;
}

/** Subcommands of git that change nothing with these options; all others may run programs and write. */
export const gitRows: Readonly<Record<string, GitRow>> = {
  status: {
    options:
      "-sbvzh -M? -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?",
  },
  "diff difftool-none": { options: diff, numbers: true },
  "log whatchanged show reflog-show": { options: `${diff} ${revisions}`, numbers: true },
  "rev-list": { options: `${diff} ${revisions}`, numbers: true },
  "diff-tree diff-index diff-files": {
    options: `${diff} ${revisions} -v --root --no-commit-id --always`,
    numbers: true,
  },
  shortlog: {
    options: `${revisions} -s -e -n -w? --summary --numbered --email --group= --committer`,
    numbers: true,
  },
  "blame annotate": {
    options:
      "-lstpefnwcb -L: -S:r -M? -C? --incremental --porcelain --line-porcelain --root --show-stats --score-debug --show-name --show-number --show-email --minimal --ignore-rev= --ignore-revs-file=r --color-lines --color-by-age --contents=r --abbrev= --date= --encoding= --reverse --first-parent --progress --no-progress --since=",
    is: "read",
  },
  grep: {
    options:
      "-aIivwhHEGPFnlLzocpWqr -A: -B: -C: -e: -f:r -m: -O?! --cached --no-index --untracked --no-exclude-standard --exclude-standard --recurse-submodules --invert-match --ignore-case --word-regexp --text --textconv! --no-textconv --recursive --no-recursive --max-depth= --extended-regexp --basic-regexp --fixed-strings --perl-regexp --line-number --column --full-name --files-with-matches --name-only --files-without-match --open-files-in-pager?! --null --only-matching --count --color? --no-color --break --heading --show-function --context= --after-context= --before-context= --function-context --threads= --max-count= --and --or --not --all-match --quiet",
    is: "search",
    numbers: true,
  },
  "ls-files": {
    options:
      "-cdmoiskutvfz -x: -X:r --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory --unmerged --killed --resolve-undo --exclude= --exclude-from=r --exclude-per-directory= --exclude-standard --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev? --debug --deduplicate --eol --sparse --format=",
    is: "list",
  },
  "ls-tree": {
    options:
      "-drtlz --long --name-only --name-status --object-only --abbrev? --full-name --full-tree --format=",
    is: "list",
  },
  "cat-file": {
    options:
      "-epts -Z --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks --textconv! --filters! --path= --no-filter --filter= --mailmap --use-mailmap",
  },
  "rev-parse": {
    options:
      "-q --verify --quiet --sq --short? --symbolic --symbolic-full-name --abbrev-ref? --all --branches? --tags? --remotes? --glob= --exclude= --disambiguate= --revs-only --no-revs --flags --no-flags --default= --prefix= --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-toplevel --show-cdup --show-prefix --show-superproject-working-tree --show-object-format? --show-ref-format --git-dir --absolute-git-dir --git-common-dir --git-path= --path-format= --shared-index-path --since= --until= --after= --before= --local-env-vars --not --resolve-git-dir=t",
  },
  "show-ref": {
    options:
      "-dsq --head --branches --heads --tags --dereference --hash? --verify --exists --abbrev? --quiet --exclude-existing?",
  },
  "for-each-ref": {
    options: `${refs} --stdin --exclude= --start-after= --include-root-refs --shell --perl --python --tcl`,
    is: "list",
  },
  describe: {
    options:
      "--dirty? --broken? --all --tags --contains --abbrev= --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent",
  },
  "name-rev": {
    options:
      "--tags --refs= --exclude= --all --name-only --no-undefined --always --annotate-stdin --stdin",
  },
  "merge-base": { options: "-a --all --octopus --independent --is-ancestor --fork-point" },
  cherry: { options: "-v --abbrev?" },
  "range-diff": {
    options: `${diff} --creation-factor= --no-dual-color --left-only --right-only --notes? --no-notes`,
  },
  "show-branch": {
    options:
      "-arg -v --all --remotes --current --topo-order --date-order --sparse --more= --list --merge-base --independent --no-name --sha1-name --topics --color? --no-color --reflog?",
  },
  "count-objects": { options: "-vH --verbose --human-readable" },
  "check-ignore": { options: "-qvzn --quiet --verbose --stdin --non-matching --no-index" },
  "check-attr": { options: "-az --all --stdin --cached --source=" },
  "check-ref-format": {
    options: "--branch --normalize --allow-onelevel --no-allow-onelevel --refspec-pattern",
  },
  "patch-id": { options: "--stable --unstable --verbatim" },
  version: { options: "--build-options" },
  var: { options: "-l" },
  fsck: {
    options:
      "--tags --root --unreachable --cache --no-reflogs --full --no-full --strict --verbose --dangling --no-dangling --progress --no-progress --connectivity-only --name-objects",
  },
  branch: {
    options: `${refs} -arvql --all --remotes --verbose --list --show-current --abbrev? --no-abbrev --quiet`,
    operands: "none",
    listing: ["list", "l", "contains", "no-contains", "merged", "no-merged", "points-at"],
    is: "list",
  },
  tag: {
    options: `${refs} -l -v! -n? --list --verify!`,
    operands: "none",
    listing: ["list", "l", "contains", "no-contains", "merged", "no-merged", "points-at"],
    is: "list",
  },
  remote: { options: "-v --verbose --push --all", verbs: ["get-url"], most: 2 },
  stash: {
    options: `${diff} ${revisions} --include-untracked --only-untracked`,
    verbs: ["list", "show"],
    numbers: true,
  },
  reflog: { options: `${diff} ${revisions}`, verbs: ["show", "exists", "list"], numbers: true },
  worktree: { options: "-vz --porcelain --verbose --expire=", verbs: ["list"], most: 1 },
  notes: { options: "--ref=", verbs: ["list", "show", "get-ref"] },
  "symbolic-ref": { options: "-q --quiet --short --recurse --no-recurse", most: 1 },
  config: {
    options:
      "-lz -f:r --list --get --get-all --get-regexp --get-urlmatch --get-color= --get-colorbool= --global --system --local --worktree --file=r --blob= --show-origin --show-scope --name-only --null --type= --bool --int --bool-or-int --path --expiry-date --includes --no-includes --default= --all --regexp --value= --url= --comment= --fixed-value",
    operands: "none",
    listing: [
      "get",
      "get-all",
      "get-regexp",
      "get-urlmatch",
      "list",
      "l",
      "get-color",
      "get-colorbool",
    ],
  },
  bisect: { options: "", verbs: ["log"], most: 1 },
};
