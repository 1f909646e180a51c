// foreign/: servers that other programs and this editor's own settings name: where their files are, and how they are read.
import path from 'node:path';
import type { AppError } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import type { ForeignFileKind } from '../../contract/definitionSchemas.ts';
import type { DefinitionSource, WorkspaceFolder } from '../serverDefinition.ts';

/** A file in which another program keeps its servers. */
export interface ForeignPlace {
  readonly kind: ForeignFileKind;
  readonly path: string;
  /** The name that people use for the file; it is part of a server's label when names collide. */
  readonly name: string;
  /** The workspace folder of the file; undefined for a file in the person's home. */
  readonly folder: WorkspaceFolder | undefined;
}

export interface ForeignPlacesContext {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Where this editor keeps what is the person's own in all workspaces. */
  readonly editorFolder?: string | undefined;
}

/** Every known place of the wanted kinds, whether the file exists or not. */
export function foreignPlaces(kinds: readonly ForeignFileKind[], context: ForeignPlacesContext): readonly ForeignPlace[] {
  const paths = context.platform === 'win32' ? path.win32 : path.posix;
  const inFolders = (kind: ForeignFileKind, ...segments: string[]): ForeignPlace[] =>
    context.folders.map((folder) => ({ kind, path: paths.join(folder.path, ...segments), name: segments.join('/'), folder }));
  const inHome = (kind: ForeignFileKind, name: string, ...segments: string[]): ForeignPlace[] => [
    { kind, path: paths.join(...segments), name, folder: undefined },
  ];
  const { userHome, editorFolder } = context;
  const found = [...new Set(kinds)].flatMap((kind): ForeignPlace[] => {
    switch (kind) {
      case 'vscode':
        return inFolders(kind, '.vscode', 'mcp.json');
      case 'vscodeUser':
        return editorFolder === undefined ? [] : inHome(kind, 'VS Code', editorFolder, 'mcp.json');
      case 'mcpJson':
        return inFolders(kind, '.mcp.json');
      case 'devcontainer':
        return [...inFolders(kind, '.devcontainer', 'devcontainer.json'), ...inFolders(kind, '.devcontainer.json')];
      case 'copilotCli':
        return inHome(kind, 'Copilot CLI', copilotFolder(context, paths), 'mcp-config.json');
      case 'cursor':
        return [...inFolders(kind, '.cursor', 'mcp.json'), ...inHome(kind, 'Cursor', userHome, '.cursor', 'mcp.json')];
      case 'windsurf':
        return inHome(kind, 'Windsurf', userHome, '.codeium', 'windsurf', 'mcp_config.json');
      case 'claudeDesktop':
        return claudeDesktopFiles(context, paths).map((file) => ({ kind, path: file, name: 'Claude Desktop', folder: undefined }));
    }
  });
  // The home folder may itself be a folder of the workspace.
  return found.filter((place, index) => found.findIndex((other) => other.path === place.path) === index);
}

function copilotFolder({ userHome, env }: ForeignPlacesContext, paths: path.PlatformPath): string {
  const chosen = env['COPILOT_HOME'];
  return chosen !== undefined && paths.isAbsolute(chosen) ? chosen : paths.join(userHome, '.copilot');
}

const claudeFile = 'claude_desktop_config.json';

function claudeDesktopFiles({ userHome, env, platform }: ForeignPlacesContext, paths: path.PlatformPath): readonly string[] {
  if (platform === 'darwin') {
    return [paths.join(userHome, 'Library', 'Application Support', 'Claude', claudeFile)];
  }
  if (platform === 'win32') {
    const roaming = env['APPDATA'] ?? paths.join(userHome, 'AppData', 'Roaming');
    const local = env['LOCALAPPDATA'] ?? paths.join(userHome, 'AppData', 'Local');
    // The second path is the one for the app from the Windows store.
    const packaged = paths.join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude', claudeFile);
    return [paths.join(roaming, 'Claude', claudeFile), packaged];
  }
  const configured = env['XDG_CONFIG_HOME'];
  const usual = paths.join(userHome, '.config');
  const bases = configured !== undefined && paths.isAbsolute(configured) ? [configured, usual] : [usual];
  return [...new Set(bases)].map((base) => paths.join(base, 'Claude', claudeFile));
}

/** The source of a file that exists but cannot be read. */
export function unreadableFile(place: ForeignPlace, unreadable: AppError): DefinitionSource {
  return { ...sourceOf(place), unreadable };
}

/** The source before anything of the file is read. */
export function sourceOf({ path, name, folder }: ForeignPlace): DefinitionSource {
  return { scope: 'discovered', folder, file: { path, name }, value: undefined, location: path };
}

/**
 * Translates `${NAME}` and `${NAME:-default}`, which mean a variable of the environment in other programs' files, into our
 * `${env:NAME}`. The default stands in its place when the variable is not set in `env`; without `env` that is not known.
 */
export function withEnvironmentNames(value: unknown, env?: ForeignPlacesContext['env']): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_]\w*)(?::-([^{}]*))?\}/g, (whole, name: string, otherwise: string | undefined) =>
      name === 'workspaceFolder' || name === 'userHome'
        ? whole
        : otherwise !== undefined && env !== undefined && (env[name] ?? '') === ''
          ? otherwise
          : `\${env:${name}}`,
    );
  }
  if (Array.isArray(value)) {
    return value.map((each) => withEnvironmentNames(each, env));
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withEnvironmentNames(member, env)]))
    : value;
}
