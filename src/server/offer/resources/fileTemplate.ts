import { decodedAddress } from '../../../base/addresses.ts';
import type { JsonObject } from '../../../base/json.ts';
import { posix, sep } from 'node:path';
import type { Completion, ResourceContent } from '../catalog/catalog.ts';
import type { SeenFolder } from '../../seen/ports/editorPort.ts';
import { goOnAt, readBeginning } from '../tools/sourceText.ts';
import type { EditorCall } from '../tools/tool.ts';
import { folderPrefixes, parseClientPath, parseUri } from '../../../platform/paths/clientPath.ts';
import type { EditorTemplate } from './editorResource.ts';
import { completePrefix, pathToUri } from './pathTemplate.ts';

/** The longest text of a file resource; `read_file` has the rest. */
const maxCharacters = 2_000_000;

/** Schemes that never mean a document: those of other resources, and those of the web. */
const otherSchemes: ReadonlySet<string> = new Set([
  'editor',
  'diagnostics',
  'tests',
  'workspace',
  'symbols',
  'syntax',
  'terminal',
  'skill',
  'http',
  'https',
  'data',
  'ui',
]);

const mimeTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html',
  javascript: 'text/javascript',
  json: 'application/json',
  jsonc: 'application/json',
  markdown: 'text/markdown',
  typescript: 'text/x-typescript',
  xml: 'application/xml',
  yaml: 'application/yaml',
};

/** Every file of the workspace by its URI. Open documents are listed, also untitled and virtual ones. */
export const fileTemplate: EditorTemplate = {
  listing: {
    uriTemplate: 'file:///{+path}',
    name: 'file',
    title: 'File',
    description: 'The text of a workspace file by its absolute path, with unsaved changes; open documents are in the list.',
  },
  role: 'reader',
  match: (uri) => {
    const parts = parseUri(uri);
    if (parts === undefined || otherSchemes.has(parts.scheme) || (parts.scheme === 'git' && parts.authority !== '')) {
      return undefined;
    }
    return {
      uri,
      paths: [uri],
      read: (context) => readText(uri, context),
      check: ({ editor }) => editor.documents.check(uri),
      changes: (editor) => editor.documents.changesOf(uri),
    };
  },
  list: (editor) => editor.documents.listDocuments().map(({ path, uri, languageId }) => entry(path, uri, languageId)),
  listChanges: (editor) => editor.documents.onDidChangeDocuments,
  complete: ({ argument }, context) => (argument.name === 'path' ? completeAbsolute(argument.value, context) : { values: [] }),
};

function entry(path: string, uri: string, languageId: string): JsonObject {
  return { uri, name: posix.basename(path), title: path, mimeType: mimeTypeOf(languageId) };
}

export function mimeTypeOf(languageId: string): string {
  return mimeTypes[languageId] ?? 'text/plain';
}

async function readText(uri: string, { editor, call }: EditorCall): Promise<ResourceContent> {
  const { text, languageId, rest } = await readBeginning(editor.documents, uri, maxCharacters, call.signal);
  const pointer = rest === undefined ? '' : `[cut here: the tool read_file returns the rest, from ${goOnAt(rest)} on]`;
  return { kind: 'text', text: `${text}${pointer}`, mimeType: mimeTypeOf(languageId) };
}

/**
 * Completes absolute paths: the variable of the template is an absolute path without its first slash, while files are found by
 * client paths.
 */
async function completeAbsolute(value: string, context: EditorCall): Promise<Completion> {
  const folders = context.editor.listWorkspaceFolders();
  const prefixes = folderPrefixes(folders);
  const wanted = decodedAddress(value).replace(/^\/+/, '');
  const searches = folders.flatMap((folder, index) => {
    const root = rootOf(folder.uri);
    const isMeant = root !== undefined && (root.startsWith(wanted) || wanted.startsWith(root));
    const prefix = `${prefixes[index] ?? ''}${wanted.slice(root?.length)}`;
    return isMeant ? [completePrefix(prefix, context, (path) => absoluteOf(path, folders))] : [];
  });
  const answers = await Promise.all(searches);
  return { values: answers.flatMap(({ values }) => values), hasMore: answers.some(({ hasMore }) => hasMore === true) };
}

/** The path of a folder with a slash at its end and none at its beginning. */
function rootOf(uri: string): string | undefined {
  const parts = parseUri(uri);
  return parts?.scheme === 'file' && parts.authority === '' ? `${parts.path.replace(/^\/|\/$/g, '')}/` : undefined;
}

function absoluteOf(path: string, folders: readonly SeenFolder[]): string {
  const place = parseClientPath(path, folders);
  return place?.kind === 'file' ? pathToUri(place.path.replaceAll(sep, '/').replace(/^\/+/, '')) : pathToUri(path);
}
