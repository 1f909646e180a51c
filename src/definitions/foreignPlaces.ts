import path from 'node:path';
import type { ForeignFileKind } from '../contract/definitionSchemas.ts';
import type { WorkspaceFolder } from './serverDefinition.ts';

/** A file in which another program keeps its servers. */
export interface ForeignPlace {
  readonly kind: ForeignFileKind;
  readonly path: string;
  /** What people call the file; part of a server's label when names collide. */
  readonly name: string;
  /** Undefined for a file of the person's own. */
  readonly folder: WorkspaceFolder | undefined;
}

export interface ForeignPlacesContext {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Every known place of the wanted kinds, whether the file exists or not. */
export function foreignPlaces(kinds: readonly ForeignFileKind[], context: ForeignPlacesContext): readonly ForeignPlace[] {
  const paths = context.platform === 'win32' ? path.win32 : path.posix;
  const inFolders = (kind: ForeignFileKind, ...segments: string[]): ForeignPlace[] =>
    context.folders.map((folder) => ({ kind, path: paths.join(folder.path, ...segments), name: segments.join('/'), folder }));
  const found = [...new Set(kinds)].flatMap((kind): ForeignPlace[] => {
    switch (kind) {
      case 'vscode':
        return inFolders(kind, '.vscode', 'mcp.json');
      case 'mcpJson':
        return inFolders(kind, '.mcp.json');
      case 'cursor': {
        const own = paths.join(context.userHome, '.cursor', 'mcp.json');
        return [...inFolders(kind, '.cursor', 'mcp.json'), { kind, path: own, name: 'Cursor', folder: undefined }];
      }
      case 'claudeDesktop':
        return claudeDesktopFiles(context, paths).map((file) => ({ kind, path: file, name: 'Claude Desktop', folder: undefined }));
    }
  });
  // The home folder may itself be a folder of the workspace.
  return found.filter((place, index) => found.findIndex((other) => other.path === place.path) === index);
}

const claudeFile = 'claude_desktop_config.json';

function claudeDesktopFiles({ userHome, env, platform }: ForeignPlacesContext, paths: path.PlatformPath): readonly string[] {
  if (platform === 'darwin') {
    return [paths.join(userHome, 'Library', 'Application Support', 'Claude', claudeFile)];
  }
  if (platform === 'win32') {
    const roaming = env['APPDATA'] ?? paths.join(userHome, 'AppData', 'Roaming');
    const local = env['LOCALAPPDATA'] ?? paths.join(userHome, 'AppData', 'Local');
    // The second is where Windows keeps it for the app from its store.
    const packaged = paths.join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude', claudeFile);
    return [paths.join(roaming, 'Claude', claudeFile), packaged];
  }
  const configured = env['XDG_CONFIG_HOME'];
  const usual = paths.join(userHome, '.config');
  const bases = configured !== undefined && paths.isAbsolute(configured) ? [configured, usual] : [usual];
  return [...new Set(bases)].map((base) => paths.join(base, 'Claude', claudeFile));
}
