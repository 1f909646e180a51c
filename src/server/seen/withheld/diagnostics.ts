import type { DiagnosticsAnswer, EditorPort } from '../ports/editorPort.ts';
import { requireShown } from './requireShown.ts';
import type { Visibility } from './visibility.ts';

/** Diagnostics of what the client may see; their text may quote secrets. */
export function withholdingDiagnostics(
  editor: EditorPort,
  visibility: Visibility,
): Pick<EditorPort, 'getDiagnostics' | 'knownDiagnostics'> {
  const { isShown, redact } = visibility;
  const seen = (answer: DiagnosticsAnswer, isKnownShown: (path: string) => boolean): DiagnosticsAnswer => ({
    ...answer,
    diagnostics: answer.diagnostics
      .filter(({ path }) => isKnownShown(path))
      .map((entry) => {
        const message = redact(entry.message);
        return message === entry.message ? entry : { ...entry, message };
      }),
    documents: answer.documents.filter(({ path }) => isKnownShown(path)),
    unheard: answer.unheard?.filter(isKnownShown),
  });
  return {
    getDiagnostics: async (query, signal) => {
      if (query.path !== undefined) {
        requireShown(query.path, visibility);
      }
      const answer = await editor.getDiagnostics({ ...query, isShown: knowing(isShown) }, signal);
      return seen(answer, knowing(isShown)); // judged anew: it may have waited for language services
    },
    knownDiagnostics: (query) => {
      const isKnownShown = knowing(isShown);
      const answer = editor.knownDiagnostics({ ...query, isShown: isKnownShown });
      return answer === undefined ? undefined : seen(answer, isKnownShown);
    },
  };
}

/** Thousands of diagnostics come from a few files: within one answer each is judged once. */
function knowing(isShown: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const shown = known.get(path) ?? isShown(path);
    known.set(path, shown);
    return shown;
  };
}
