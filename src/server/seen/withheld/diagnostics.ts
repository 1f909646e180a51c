import type { DiagnosticsAnswer, EditorPort } from '../ports/editorPort.ts';
import { judgedOnce } from './judgedOnce.ts';
import { requireShown } from './requireShown.ts';
import type { Visibility } from './visibility.ts';

/** Diagnostics of what the client may see; their text may quote secrets. */
export function withholdingDiagnostics(
  editor: EditorPort,
  visibility: Visibility,
): Pick<EditorPort, 'getDiagnostics' | 'knownDiagnostics'> {
  const { isShown, redact } = visibility;
  const seen = (answer: DiagnosticsAnswer, isKnownShown: (path: string) => boolean): DiagnosticsAnswer => ({
    settled: answer.settled,
    total: answer.total,
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
      const answer = await editor.getDiagnostics({ ...query, isShown: judgedOnce(isShown) }, signal);
      return seen(answer, judgedOnce(isShown)); // judged anew: it may have waited for language services
    },
    knownDiagnostics: (query) => {
      const isKnownShown = judgedOnce(isShown);
      const answer = editor.knownDiagnostics({ ...query, isShown: isKnownShown });
      return answer === undefined ? undefined : seen(answer, isKnownShown);
    },
  };
}
