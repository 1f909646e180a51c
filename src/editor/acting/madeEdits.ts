import type { MadeEdit } from '../../contract/chat/edits.ts';
import type { Author } from '../../server/seen/ports/actingPort.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import type { AcceptedChange } from './applyChanges.ts';
import { isNewFile, isTextual, targetOf, uriOf } from './changeParts.ts';

/** Told of every change that was made for somebody, after it was made. */
export type OnEdits = (author: Author, edits: readonly MadeEdit[]) => void;

/** As the files are now: what runs on saving may have changed them further. */
export function madeEdits(accepted: readonly AcceptedChange[]): readonly MadeEdit[] {
  return accepted.map(({ change, text }) => {
    const target = targetOf(change);
    const path = toClientPath(target);
    if (change.kind === 'cell' || !isTextual(change)) {
      const from = toClientPath(uriOf(change));
      return { path, ...(from !== path && { from }), isText: false };
    }
    if (change.kind === 'delete') {
      return { path, before: change.before, isText: true };
    }
    return {
      path,
      ...(change.moveTo !== undefined && { from: toClientPath(change.uri) }),
      ...(!isNewFile(change) && { before: change.before }),
      after: findTextDocument(target.toString())?.getText() ?? text,
      isText: true,
    };
  });
}
