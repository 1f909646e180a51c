// Every window loads this, and nothing else of this folder.

/** The end of the path of every document with a kind: a quick look for whoever is told of each document that opens. */
export const helpedPath =
  /\/(?:settings\.json|\.mcp\.json|claude_desktop_config\.json|(?:\.vscode|\.cursor|User)\/mcp\.json|[^/]*\.code-workspace)$/;
