/** Facts about a language server. */
export interface KnownServer {
  /** Program and arguments. */
  readonly command: readonly string[];
  /** Patterns of the files it knows. */
  readonly files: readonly string[];
  /** Options that it gets when it starts. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Servers by name. A setting with one of these names may leave out its files; none is started without a setting. */
export const knownServers: ReadonlyMap<string, KnownServer> = new Map([
  [
    "typescript",
    {
      command: ["typescript-language-server", "--stdio"],
      files: ["*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}"],
      options: {
        // It would download packages.
        disableAutomaticTypingAcquisition: true,
        // One process instead of two.
        tsserver: { useSyntaxServer: "never" },
      },
    },
  ],
  ["pyright", { command: ["pyright-langserver", "--stdio"], files: ["*.{py,pyi}"] }],
  ["python", { command: ["pyright-langserver", "--stdio"], files: ["*.{py,pyi}"] }],
  ["go", { command: ["gopls"], files: ["*.go"] }],
  ["gopls", { command: ["gopls"], files: ["*.go"] }],
  ["rust", { command: ["rust-analyzer"], files: ["*.rs"] }],
  ["rust-analyzer", { command: ["rust-analyzer"], files: ["*.rs"] }],
  ["clangd", { command: ["clangd"], files: ["*.{c,h,cc,cpp,cxx,hpp,hh}"] }],
  ["json", { command: ["vscode-json-language-server", "--stdio"], files: ["*.{json,jsonc}"] }],
  ["css", { command: ["vscode-css-language-server", "--stdio"], files: ["*.{css,scss,less}"] }],
  ["html", { command: ["vscode-html-language-server", "--stdio"], files: ["*.{html,htm}"] }],
  ["yaml", { command: ["yaml-language-server", "--stdio"], files: ["*.{yaml,yml}"] }],
  ["bash", { command: ["bash-language-server", "start"], files: ["*.{sh,bash}"] }],
  ["lua", { command: ["lua-language-server"], files: ["*.lua"] }],
  ["ruby", { command: ["ruby-lsp"], files: ["*.rb"] }],
  ["java", { command: ["jdtls"], files: ["*.java"] }],
  ["zig", { command: ["zls"], files: ["*.zig"] }],
]);

const languages: ReadonlyMap<string, string> = new Map([
  ["ts", "typescript"],
  ["mts", "typescript"],
  ["cts", "typescript"],
  ["tsx", "typescriptreact"],
  ["js", "javascript"],
  ["mjs", "javascript"],
  ["cjs", "javascript"],
  ["jsx", "javascriptreact"],
  ["py", "python"],
  ["pyi", "python"],
  ["rs", "rust"],
  ["rb", "ruby"],
  ["sh", "shellscript"],
  ["bash", "shellscript"],
  ["h", "c"],
  ["cc", "cpp"],
  ["cxx", "cpp"],
  ["hpp", "cpp"],
  ["hh", "cpp"],
  ["yml", "yaml"],
  ["htm", "html"],
]);

/** Identifier of the language of a file, as the protocol names it. */
export function languageOf(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return languages.get(ending) ?? ending;
}
