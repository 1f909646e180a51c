import { setImmediate as nextSlice } from 'node:timers/promises';
import type { DocumentsPort, TextPart } from '../ports/documentsPort.ts';
import { never, whenSeen } from './seenEvents.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import { Slices } from '../../../base/slices.ts';
import { requireShown, type Visibility } from './visibility.ts';

/** Wraps the documents port so that a client sees only what it may see. */
export function withholdingDocuments(documents: DocumentsPort, visibility: Visibility): DocumentsPort {
  const { isShown, redactPart } = visibility;
  const getSelection: DocumentsPort['getSelection'] = () => {
    const selection = documents.getSelection();
    return selection === undefined || !isShown(selection.path) ? undefined : selection;
  };
  const listDocuments: DocumentsPort['listDocuments'] = () => documents.listDocuments().filter(({ path }) => isShown(path));
  return {
    read: async (path, signal, choose) => {
      requireShown(path, visibility);
      const { realPath, ...document } = await documents.read(path, signal);
      // A link may have been moved in the meantime: what counts is the file that was opened.
      if (!isShown(document.path) || (realPath !== undefined && !isShown(realPath))) {
        throw pathNotFound(path);
      }
      const slices = new Slices();
      const part = choose?.(document.text) ?? { from: 0, to: document.text.length };
      await slices.pauseIfUsedUp(); // finding the lines of a long text takes a slice of time of its own
      return { ...document, text: await redactPart(document.text, part) };
    },
    readImage: async (path, signal) => {
      requireShown(path, visibility);
      const found = await documents.readImage(path, signal);
      if (found === undefined) {
        return undefined;
      }
      const { realPath, ...image } = found;
      if (!isShown(image.path) || (realPath !== undefined && !isShown(realPath))) {
        throw pathNotFound(path);
      }
      return image;
    },
    check: async (path) => {
      requireShown(path, visibility);
      await documents.check(path);
    },
    getSelection,
    readSelection: readSelectionOf(documents, visibility),
    listDocuments,
    findPaths: async (query, signal) => {
      const { paths, isComplete } = await documents.findPaths({ ...query, isShown }, signal);
      return { paths: paths.filter(isShown), isComplete };
    },
    changesOf: (path) => (isShown(path) ? documents.changesOf(path) : never),
    stateOf: (path) => (isShown(path) ? documents.stateOf(path) : ''),
    onDidChangeSelection: whenSeen(documents.onDidChangeSelection, getSelection),
    onDidChangeDocuments: whenSeen(documents.onDidChangeDocuments, listDocuments),
  };
}

function readSelectionOf(documents: DocumentsPort, { isShown, redactPart }: Visibility): DocumentsPort['readSelection'] {
  return async (choose) => {
    let document = '';
    let parts: readonly TextPart[] = [];
    const selection = await documents.readSelection((whole, selected) => {
      document = whole;
      parts = choose(whole, selected);
      return [];
    }, isShown);
    if (selection === undefined || !isShown(selection.path)) {
      return undefined;
    }
    const texts: string[] = [];
    for (const part of parts) {
      // The text around a selection tells whether it is a secret: a double click selects a password without its name.
      texts.push(await redactPart(document, part));
      await nextSlice();
    }
    return { ...selection, texts };
  };
}
