import { setImmediate as nextTurn } from 'node:timers/promises';
import { hiddenCharacter } from '../../../base/hiddenText.ts';
import { secretMark } from '../../../base/secretMark.ts';
import type { TextPart } from '../ports/documentsPort.ts';
import { findSecrets, type SecretSpan } from './findSecrets.ts';

/** More than any secret is long: one that begins before a part, or ends after it, is still known as one. */
const context = 32 * 1024;
/** So much between two turns of the event loop. */
const stepLength = 64 * 1024;

/** Secrets inside text become `[redacted]`. Line breaks stay, so that line numbers keep their meaning. For short texts. */
export function redactSecrets(text: string): string {
  return withMarkers(text, findSecrets(text), { from: 0, to: text.length });
}

/** The same of a part of a text of any length, which is all that is looked at but for what stands right around it. */
export async function redactPart(text: string, { from, to }: TextPart): Promise<string> {
  let shown = '';
  let isInSecret = false;
  for (let at = from; at < to; at += stepLength) {
    if (at > from) {
      await nextTurn();
    }
    const step = { from: at, to: Math.min(to, at + stepLength) };
    const start = Math.max(0, step.from - context);
    const spans = findSecrets(text.slice(start, step.to + context));
    const own = { from: step.from - start, to: step.to - start };
    const redacted = withMarkers(text.slice(start, step.to), spans, own);
    // One secret over two steps is one marker.
    const goesOn = isInSecret && spans.some((span) => span.from < own.from && span.to > own.from);
    shown += goesOn ? redacted.slice(secretMark.length) : redacted;
    isInSecret = spans.some((span) => span.from < own.to && span.to >= own.to);
  }
  return shown;
}

/** The text with a character that stands for nothing in place of each one of a secret: places keep their meaning. */
export async function hideSecrets(text: string): Promise<string> {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of await secretPlaces(text)) {
    pieces.push(text.slice(done, from), hiddenCharacter.repeat(to - from));
    done = to;
  }
  return done === 0 ? text : [...pieces, text.slice(done)].join('');
}

/** Where they are in a text of any length: sorted, and apart from each other. */
export async function secretPlaces(text: string): Promise<readonly SecretSpan[]> {
  const places: SecretSpan[] = [];
  for (let at = 0; at < text.length; at += stepLength) {
    if (at > 0) {
      await nextTurn();
    }
    const start = Math.max(0, at - context);
    const end = Math.min(text.length, at + stepLength);
    for (const span of findSecrets(text.slice(start, end + context))) {
      const last = places.at(-1);
      const from = Math.max(last?.to ?? 0, at, start + span.from);
      const to = Math.min(end, start + span.to);
      if (from < to && from === last?.to && from === at) {
        places[places.length - 1] = { from: last.from, to }; // one secret over two steps
      } else if (from < to) {
        places.push({ from, to });
      }
    }
  }
  return places;
}

function withMarkers(text: string, spans: readonly SecretSpan[], { from, to }: TextPart): string {
  let shown = '';
  let done = from;
  for (const span of spans) {
    if (span.to > done && span.from < to) {
      shown += text.slice(done, Math.max(done, span.from)) + secretMark;
      done = span.to;
    }
  }
  return shown + text.slice(done, to);
}
