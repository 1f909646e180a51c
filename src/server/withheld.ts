import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DiagnosticsAnswer, EditorPort } from './ports/editorPort.ts';

/** Names that hold secrets by custom, anywhere in a path: such files look as if they were not there. */
const sensitiveNames: readonly RegExp[] = [
  /^\.env/i,
  /\.(pem|key|p12|pfx)$/i,
  /^id_(?!.*\.pub$)/i,
  /^\.(npmrc|netrc|pypirc)$/i,
  /^\.(ssh|aws|gnupg)$/i,
];

export interface WithheldPlaces {
  /** Folders nobody outside ever sees into, whatever the workspace is: the editor's own data, `DUPLEX_HOME`. */
  readonly neverShown: readonly string[];
}

/** The editor as clients may see it: one filter for every tool, resource and notification. */
export function withholding(editor: EditorPort, places: WithheldPlaces): EditorPort {
  const isShown = (path: string): boolean => !isWithheld(path, editor, places);
  return {
    ...editor,
    listWorkspaceFolders: () => editor.listWorkspaceFolders(),
    listOpenEditors: () => editor.listOpenEditors().filter(({ path }) => isShown(path)),
    getDiagnostics: async (query, signal) => {
      if (query.path !== undefined && !isShown(query.path)) {
        // Exactly what a file without problems looks like.
        return { diagnostics: [], documents: [], settled: true } satisfies DiagnosticsAnswer;
      }
      const answer = await editor.getDiagnostics(query, signal);
      const known = new Map<string, boolean>(); // thousands of diagnostics come from a few files
      const isKnownShown = ({ path }: { readonly path: string }): boolean => {
        const shown = known.get(path) ?? isShown(path);
        known.set(path, shown);
        return shown;
      };
      return { ...answer, diagnostics: answer.diagnostics.filter(isKnownShown), documents: answer.documents.filter(isKnownShown) };
    },
    onDidChangeOpenEditors: editor.onDidChangeOpenEditors,
    onDidChangeDiagnostics: editor.onDidChangeDiagnostics,
    onDidChangeWorkspaceFolders: editor.onDidChangeWorkspaceFolders,
  };
}

/** By every segment of the path: a file inside `.ssh` is as secret as the folder. */
function isWithheld(path: string, editor: EditorPort, places: WithheldPlaces): boolean {
  const files = filesMeant(path, editor);
  if (files.length === 0) {
    return !path.startsWith('untitled:');
  }
  const segments = path.split(/[\\/]/);
  const isSensitive = segments.some((segment) => sensitiveNames.some((name) => name.test(segment)));
  return isSensitive || files.some((file) => places.neverShown.some((place) => isInside(file, place)));
}

/** Every file a client path may mean; none for a document outside the workspace, which would need a grant of its own. */
function filesMeant(path: string, editor: EditorPort): string[] {
  const folders = editor.listWorkspaceFolders().map((folder) => folder.path);
  const absolute = path.startsWith('file:') && URL.canParse(path) ? fileURLToPath(path) : path;
  if (isAbsolute(absolute)) {
    return folders.some((folder) => isInside(absolute, folder)) ? [resolve(absolute)] : [];
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(absolute)) {
    return [];
  }
  // In a workspace of several folders the first segment names the folder.
  return folders.flatMap((folder) => [resolve(folder, absolute), resolve(folder, absolute.replace(/^[^\\/]*[\\/]/, ''))]);
}

function isInside(file: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(file));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
