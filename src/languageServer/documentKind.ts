/** The files that hold server definitions, each with its own place for them. */
export type DocumentKind = 'settings' | 'workspaceFile' | 'vscodeMcp' | 'mcpJson' | 'claudeDesktop';

/** The way from the root of the document to the object of name → definition. */
export const serversPath: Readonly<Record<DocumentKind, readonly string[]>> = {
  settings: ['duplex.mcpServers'],
  workspaceFile: ['settings', 'duplex.mcpServers'],
  vscodeMcp: ['servers'],
  mcpJson: ['mcpServers'],
  claudeDesktop: ['mcpServers'],
};

/** One glob for all kinds, for an editor that picks the documents to send. */
export const documentPattern = '**/{settings.json,*.code-workspace,.vscode/mcp.json,.mcp.json,claude_desktop_config.json}';

/** By the name of the file, whatever the scheme: user settings are `vscode-userdata:` on a desktop and `file:` elsewhere. */
export function documentKind(uri: string): DocumentKind | undefined {
  const segments = pathOf(uri).split('/');
  const name = segments.at(-1) ?? '';
  switch (name) {
    case 'settings.json':
      return 'settings';
    case '.mcp.json':
      return 'mcpJson';
    case 'claude_desktop_config.json':
      return 'claudeDesktop';
    case 'mcp.json':
      return segments.at(-2) === '.vscode' ? 'vscodeMcp' : undefined;
    default:
      return name.endsWith('.code-workspace') ? 'workspaceFile' : undefined;
  }
}

/** Files of other hosts may hold keys that mean something to those hosts. */
export function isOwnSetting(kind: DocumentKind): boolean {
  return kind === 'settings' || kind === 'workspaceFile';
}

function pathOf(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
