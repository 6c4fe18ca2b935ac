/** A text of a plugin with the directory of the plugin in place of its variable. */
export function withPluginRoot(text: string, root: string): string {
  return text.replaceAll("${CLAUDE_PLUGIN_ROOT}", () => root);
}
