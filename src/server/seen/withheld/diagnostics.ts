import type { EditorPort } from '../ports/editorPort.ts';
import { requireShown } from './requireShown.ts';
import type { Visibility } from './visibility.ts';

/** Diagnostics of what the client may see; their text may quote secrets. */
export function withholdingDiagnostics(editor: EditorPort, visibility: Visibility): EditorPort['getDiagnostics'] {
  const { isShown, redact } = visibility;
  return async (query, signal) => {
    if (query.path !== undefined) {
      requireShown(query.path, visibility);
    }
    const known = new Map<string, boolean>(); // thousands of diagnostics come from a few files
    const isKnownShown = (path: string): boolean => {
      const shown = known.get(path) ?? isShown(path);
      known.set(path, shown);
      return shown;
    };
    const answer = await editor.getDiagnostics({ ...query, isShown: isKnownShown }, signal);
    known.clear(); // it may have waited for language services
    return {
      ...answer,
      diagnostics: answer.diagnostics
        .filter(({ path }) => isKnownShown(path))
        .map((entry) => {
          const message = redact(entry.message);
          return message === entry.message ? entry : { ...entry, message };
        }),
      documents: answer.documents.filter(({ path }) => isKnownShown(path)),
      unheard: answer.unheard?.filter(isKnownShown),
    };
  };
}
