import { ToolError } from "../../core/index.ts";

/** File name patterns by type name for a search without ripgrep: the common types, under ripgrep's names. */
const fileTypes: ReadonlyMap<string, string> = new Map([
  ["c", "*.{c,h,H}"],
  ["cpp", "*.{C,h,H,cc,cpp,cxx,hh,hpp,hxx,inl}"],
  ["cs", "*.cs"],
  ["csharp", "*.cs"],
  ["css", "*.{css,scss}"],
  ["csv", "*.csv"],
  ["dart", "*.dart"],
  ["docker", "*Dockerfile*"],
  ["elixir", "*.{ex,exs,eex,heex,leex,livemd}"],
  ["go", "*.go"],
  ["graphql", "*.{graphql,graphqls}"],
  ["haskell", "*.{hs,lhs,hsc}"],
  ["html", "*.{htm,html,ejs}"],
  ["java", "*.{java,jsp,jspx,properties}"],
  ["js", "*.{js,cjs,mjs,jsx,vue}"],
  ["json", "{*.json,*.sarif,composer.lock}"],
  ["jsonl", "*.jsonl"],
  ["kotlin", "*.{kt,kts}"],
  ["lua", "*.lua"],
  ["make", "{*.mk,*.mak,[Mm]akefile,Makefile.*,GNUmakefile}"],
  ["markdown", "*.{md,markdown,mdx,mkd}"],
  ["md", "*.{md,markdown,mdx,mkd}"],
  ["php", "*.{php,php3,php4,php5,phtml}"],
  ["py", "*.{py,pyi}"],
  ["python", "*.{py,pyi}"],
  ["ruby", "{*.rb,*.rake,*.gemspec,*.rbw,Gemfile,Rakefile,config.ru}"],
  ["rust", "*.rs"],
  ["scala", "*.{scala,sbt}"],
  ["sh", "{*.sh,*.bash,*.zsh,*.ksh,*.csh,*.env,.bashrc,.zshrc,.profile,.env}"],
  ["sql", "*.{sql,psql}"],
  ["svelte", "*.{svelte,svelte.ts}"],
  ["swift", "*.swift"],
  ["tex", "*.{tex,ltx,sty,cls,bib}"],
  ["toml", "{*.toml,Cargo.lock}"],
  ["ts", "*.{ts,tsx,cts,mts}"],
  ["txt", "*.txt"],
  ["typescript", "*.{ts,tsx,cts,mts}"],
  ["vue", "*.vue"],
  ["xml", "*.{xml,xsd,xsl,xslt,dtd,xhtml}"],
  ["yaml", "*.{yaml,yml}"],
  ["zig", "*.zig"],
]);

/** The file name pattern of a type; throws INVALID_INPUT for an unknown type. */
export function typePattern(type: string): string {
  const pattern = fileTypes.get(type);
  if (pattern === undefined) throw unknownType(type);
  return pattern;
}

export function unknownType(type: string): ToolError {
  return new ToolError("INVALID_INPUT", `There is no file type ${type}.`, {
    hint: `Use a name like ${["ts", "js", "py", "go", "rust", "md"].join(", ")}, or a glob instead.`,
    data: { type },
  });
}
