import { hasLargeObject } from '../base/jsonDepth.ts';

/** To look at an object with more members would hold others up. */
const maxMembers = 100_000;
const lengthOfText = Symbol('length of the text');

/** Whether a text is one of those: it is better not even parsed to be shown. */
export function isLargeText(text: string): boolean {
  return hasLargeObject(text, maxMembers);
}

/** As `JSON.parse`. A message that is too large to be looked at is known by `largeLength` from then on: its text tells, and it itself does not. */
export function parseMessage(text: string): unknown {
  const message: unknown = JSON.parse(text);
  if (typeof message === 'object' && message !== null && isLargeText(text)) {
    Object.defineProperty(message, lengthOfText, { value: text.length });
  }
  return message;
}

/** In characters of its JSON; undefined for one that can be looked at. */
export function largeLength(message: unknown): number | undefined {
  const length: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, lengthOfText) : undefined;
  return typeof length === 'number' ? length : undefined;
}
