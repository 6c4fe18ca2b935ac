declare module "turndown" {
  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    use(plugin: unknown): void;
    turndown(html: string): string;
  }
}

declare module "@joplin/turndown-plugin-gfm" {
  export const gfm: unknown;
}
