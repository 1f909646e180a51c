import path from 'node:path';
import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import type { AppError } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { ForeignFileKind } from '../contract/definitionSchemas.ts';
import { definitionProblem } from './definitionProblems.ts';
import type { DefinitionSource, WorkspaceFolder } from './serverDefinition.ts';

/** A file in which another program keeps its servers. */
export interface ForeignPlace {
  readonly kind: ForeignFileKind;
  readonly path: string;
  /** The name that people use for the file; it is part of a server's label when names collide. */
  readonly name: string;
  /** Undefined for a file in the person's home. */
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
    // The second path is the one for the app from the Windows store.
    const packaged = paths.join(local, 'Packages', 'Claude_pzs8sxrjxfjjc', 'LocalCache', 'Roaming', 'Claude', claudeFile);
    return [paths.join(roaming, 'Claude', claudeFile), packaged];
  }
  const configured = env['XDG_CONFIG_HOME'];
  const usual = paths.join(userHome, '.config');
  const bases = configured !== undefined && paths.isAbsolute(configured) ? [configured, usual] : [usual];
  return [...new Set(bases)].map((base) => paths.join(base, 'Claude', claudeFile));
}

/** No definition nests deeper than this. */
const deepest = 20;

/** Reads a file of another program. A file that cannot be understood is reported by itself and harms no other. */
export function readForeignFile(place: ForeignPlace, text: string): DefinitionSource {
  const source = sourceOf(place);
  const { path: file } = place;
  if (isTooDeep(text)) {
    return unreadableFile(place, definitionProblem('definitions.fileTooDeep', { file }));
  }
  const errors: ParseError[] = [];
  const root: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length;
    const mistake = printParseErrorCode(first.error);
    return unreadableFile(place, definitionProblem('definitions.fileMalformed', { file, mistake, line }));
  }
  if (root === undefined || root === null) {
    return source;
  }
  if (!isJsonObject(root)) {
    return unreadableFile(place, definitionProblem('definitions.fileNotAnObject', { file }));
  }
  const servers = place.kind === 'vscode' ? root['servers'] : root['mcpServers'];
  const value = place.kind === 'mcpJson' ? withEnvironmentNames(servers) : servers;
  return { ...source, value, ...(place.kind === 'vscode' ? { inputs: root['inputs'] } : {}) };
}

/** The source of a file that exists but cannot be read. */
export function unreadableFile(place: ForeignPlace, unreadable: AppError): DefinitionSource {
  return { ...sourceOf(place), unreadable };
}

function sourceOf({ path, name, folder }: ForeignPlace): DefinitionSource {
  return { scope: 'discovered', folder, file: { path, name }, value: undefined, location: path };
}

/** Translates `${NAME}`, which means a variable of the environment in `.mcp.json`, into our `${env:NAME}`. */
export function withEnvironmentNames(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) =>
      name === 'workspaceFolder' || name === 'userHome' ? whole : `\${env:${name}}`,
    );
  }
  if (Array.isArray(value)) {
    return value.map(withEnvironmentNames);
  }
  return isJsonObject(value) ? mapMembers(value) : value;
}

function mapMembers(value: JsonObject): unknown {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withEnvironmentNames(member)]));
}

/**
 * Counts brackets outside of strings, before any parser has to follow them. Brackets in comments are counted too, which only
 * makes it stricter.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      at += character === '\\' ? 1 : 0;
      isText = character !== '"' && character !== '\n';
    } else if (character === '"') {
      isText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) {
        return true;
      }
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
  }
  return false;
}
