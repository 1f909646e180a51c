// text/: edits of a text as clients write them, by range or by the text that is there. Pure. This file puts them together.
import { hiddenCharacter, isGuess, secretMark, touchesHidden } from '../../../secrets/secretMarks.ts';
import type { RangeEdit, ReplacedText, TextEdit, WantedText } from '../../../server/seen/ports/actingPort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { findTexts, type Places } from './findTexts.ts';
import { findNearMiss, linesAt, type NearMiss } from './similarText.ts';
import { applySpans, spansOfRanges, withEol, type NamedSpan } from './textEdits.ts';

/** The most places that the edits of one call may change; more are refused. */
const maxReplacements = 100_000;
/** The most line numbers that an error tells of a text that is there several times. */
const maxLinesTold = 10;

interface Wanted extends ReplacedText {
  readonly edit: string;
}

/** The text as a client wants it, whether it gives the whole text or edits. `shown` is the text as the client may see it. */
export async function textWanted(text: string, wanted: WantedText, eol: '\n' | '\r\n', shown = text): Promise<string> {
  if ('edits' in wanted) {
    return applyEdits(text, wanted.edits, eol, shown);
  }
  const after = withEol(wanted.newText, eol);
  if (isGuess(after, shown)) {
    throw editorError('editor.onlyRedacted');
  }
  return after;
}

/**
 * The text with all edits made at once, each by its range or by the text that is there. `shown` is the text as the client may
 * see it, of the same length: what is withheld in it is neither found nor replaced.
 */
export async function applyEdits(text: string, edits: readonly TextEdit[], eol: '\n' | '\r\n', shown = text): Promise<string> {
  const ranges = edits.filter((edit): edit is RangeEdit => 'range' in edit);
  const wanted = edits.flatMap((edit, index) =>
    'oldText' in edit ? [{ ...edit, oldText: withEol(edit.oldText, eol), edit: `edits[${index}]` }] : [],
  );
  const spans = spansOfRanges(text, ranges, eol);
  // An edit that puts the same text there changes nothing, so nobody would be asked: that would tell that a guess is right.
  const hidden = spans.find(({ start, end }) => touchesHidden(shown, start, end));
  if (hidden !== undefined) {
    throw editorError('editor.rangeRedacted', { edit: hidden.name });
  }
  return applySpans(text, [...spans, ...(await spansOfOldTexts(shown, wanted, eol))]);
}

async function spansOfOldTexts(shown: string, wanted: readonly Wanted[], eol: '\n' | '\r\n'): Promise<NamedSpan[]> {
  if (wanted.length === 0) {
    return [];
  }
  const empty = wanted.find(({ oldText }) => oldText === '');
  if (empty !== undefined) {
    throw editorError('editor.oldTextEmpty', { edit: empty.edit });
  }
  // A text with the character that hides withheld parts is not looked for: it would find them.
  const findable = wanted.filter(({ oldText }) => !oldText.includes(hiddenCharacter));
  const places = await findTexts(
    shown,
    findable.map(({ oldText }) => oldText),
    maxReplacements,
  );
  if (places === undefined) {
    throw editorError('editor.editsTooSlow');
  }
  const spans: NamedSpan[] = [];
  for (const each of wanted) {
    const { oldText, edit } = each;
    const newText = withEol(each.newText, eol);
    for (const start of await demandPlaces(shown, each, places.get(oldText))) {
      spans.push({ start, end: start + oldText.length, newText, name: edit });
    }
    if (spans.length > maxReplacements) {
      throw editorError('editor.oldTextTooOften', { edit, count: spans.length, limit: maxReplacements });
    }
  }
  return spans;
}

async function demandPlaces(shown: string, { oldText, edit, replaceAll }: Wanted, places: Places | undefined): Promise<readonly number[]> {
  if (places === undefined || places.count === 0) {
    if (oldText.includes(secretMark)) {
      throw editorError('editor.oldTextRedacted', { edit });
    }
    const instead = inWords(places === undefined ? { kind: 'nothing' } : await findNearMiss(shown, oldText));
    throw editorError('editor.oldTextMissing', { edit, instead });
  }
  const { count, offsets } = places;
  if (replaceAll !== true && count > 1) {
    throw editorError('editor.oldTextSeveral', { edit, count, lines: linesOf(shown, places) });
  }
  if (count > maxReplacements) {
    throw editorError('editor.oldTextTooOften', { edit, count, limit: maxReplacements });
  }
  let end = 0;
  return offsets.filter((offset) => {
    const isApart = offset >= end;
    end = isApart ? offset + oldText.length : end;
    return isApart;
  });
}

function linesOf(text: string, { count, offsets }: Places): string {
  const lines = linesAt(text, offsets.slice(0, maxLinesTold));
  return `${lines.join(', ')}${count > lines.length ? ' and so on' : ''}`;
}

function inWords(miss: NearMiss): string {
  switch (miss.kind) {
    case 'whiteSpace':
      return `It occurs with other white space at line ${miss.line}: take indentation and line ends exactly from read_file.`;
    case 'letterCase':
      return `It occurs in other upper and lower case at line ${miss.line}.`;
    case 'lineNumbers':
      return `It occurs at line ${miss.line} without the line numbers, which are not part of the text.`;
    case 'similarLine':
      return `The line most like it is line ${miss.line}: read the file again there.`;
    case 'nothing':
      return 'Nothing like it was found: read the file again.';
  }
}
