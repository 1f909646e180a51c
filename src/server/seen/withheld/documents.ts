import type { DocumentsPort } from '../ports/documentsPort.ts';
import { never, whenSeen } from './filteredEvents.ts';
import { pathNotFound } from '../../../base/pathNotFound.ts';
import { requireShown } from './requireShown.ts';
import type { Visibility } from './visibility.ts';

/** Documents as one client may see them. */
export function withholdingDocuments(documents: DocumentsPort, visibility: Visibility): DocumentsPort {
  const { isShown, redact, redactPart } = visibility;
  const getSelection: DocumentsPort['getSelection'] = () => {
    const selection = documents.getSelection();
    if (selection === undefined || !isShown(selection.path)) {
      return undefined;
    }
    return { ...selection, selections: selection.selections.map(({ range, text }) => ({ range, text: redact(text) })) };
  };
  const listDocuments: DocumentsPort['listDocuments'] = () => documents.listDocuments().filter(({ path }) => isShown(path));
  return {
    read: async (path, signal, choose) => {
      requireShown(path, visibility);
      const { realPath, ...document } = await documents.read(path, signal);
      // A link may have been moved since: what counts is the file that was opened.
      if (!isShown(document.path) || (realPath !== undefined && !isShown(realPath))) {
        throw pathNotFound(path);
      }
      const part = choose?.(document.text) ?? { from: 0, to: document.text.length };
      return { ...document, text: await redactPart(document.text, part) };
    },
    check: async (path) => {
      requireShown(path, visibility);
      await documents.check(path);
    },
    getSelection,
    listDocuments,
    findPaths: async (query, signal) => {
      const { paths, isComplete } = await documents.findPaths({ ...query, isShown }, signal);
      return { paths: paths.filter(isShown), isComplete };
    },
    changesOf: (path) => (isShown(path) ? documents.changesOf(path) : never),
    onDidChangeSelection: whenSeen(documents.onDidChangeSelection, getSelection),
    onDidChangeDocuments: whenSeen(documents.onDidChangeDocuments, listDocuments),
  };
}
