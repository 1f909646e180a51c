import { findSecrets, isWithinKey, keyGoesOn } from './findSecrets.ts';
import { hiddenCharacter, secretMark, type SecretPlace } from './secretMarks.ts';

/** How many characters around a step are looked at too. Only private keys may be longer: one that crosses the step's border is still recognised. */
const context = 32 * 1024;
/** How many characters of a long text are looked at before other work gets to run. */
const stepLength = 64 * 1024;

/** Replaces the secrets in a short text by `[redacted]`. Line breaks stay, so that line numbers keep their meaning. */
export function redactSecrets(text: string): string {
  return withMarks(text, findSecrets(text), { from: 0, to: text.length });
}

/** Like `redactSecrets`, and secrets that are `known` from elsewhere are replaced too: for what a server says, on pages that people copy. */
export function withoutSecrets(text: string, known: readonly string[]): string {
  const sorted = [...known].sort((one, other) => other.length - one.length);
  return redactSecrets(sorted.reduce((rest, secret) => rest.replaceAll(secret, secretMark), text));
}

/** Like `redactSecrets`, with whatever finds the secrets: for short texts of a server around its content, such as an address with a password. */
export async function redactWith(text: string, secretsIn: (text: string) => Promise<readonly SecretPlace[]>): Promise<string> {
  return withMarks(text, await secretsIn(text), { from: 0, to: text.length });
}

/** Like `redactSecrets`, for one part of a text of any length. Only the part and what stands right around it are looked at. */
export async function redactPart(text: string, { from, to }: SecretPlace): Promise<string> {
  let shown = '';
  let isInSecret = false;
  for (let at = from; at < to; at += stepLength) {
    if (at > from) {
      await letOthersRun();
    }
    const step = { from: at, to: Math.min(to, at + stepLength) };
    const start = Math.max(0, step.from - context);
    const places = secretsAround(text, { from: start, to: step.to + context }, step.from);
    const own = { from: step.from - start, to: step.to - start };
    const redacted = withMarks(text.slice(start, step.to), places, own);
    // A secret that lies in two steps gets one mark.
    const goesOn = isInSecret && places.some((place) => place.from < own.from && place.to > own.from);
    shown += goesOn ? redacted.slice(secretMark.length) : redacted;
    isInSecret = places.some((place) => place.from < own.to && place.to >= own.to);
  }
  return shown;
}

/** Replaces each character of a secret by `hiddenCharacter`, so that every place in the text keeps its number. For texts of any length. */
export async function hideSecrets(text: string): Promise<string> {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of await secretPlaces(text)) {
    pieces.push(text.slice(done, from), hiddenCharacter.repeat(to - from));
    done = to;
  }
  return done === 0 ? text : [...pieces, text.slice(done)].join('');
}

/** Finds the secrets in a text of any length: sorted, and apart from each other. */
export async function secretPlaces(text: string): Promise<readonly SecretPlace[]> {
  const places: SecretPlace[] = [];
  for (let at = 0; at < text.length; at += stepLength) {
    if (at > 0) {
      await letOthersRun();
    }
    const start = Math.max(0, at - context);
    const end = Math.min(text.length, at + stepLength);
    for (const place of secretsAround(text, { from: start, to: end + context }, at)) {
      const last = places.at(-1);
      const from = Math.max(last?.to ?? 0, at, start + place.from);
      const to = Math.min(end, start + place.to);
      if (from < to && from === last?.to && from === at) {
        places[places.length - 1] = { from: last.from, to }; // a secret that lies in two steps
      } else if (from < to) {
        places.push({ from, to });
      }
    }
  }
  return places;
}

/** Finds the secrets in a stretch of a long text, from whose beginning to `at` a private key may go on that began long before. */
function secretsAround(text: string, { from, to }: SecretPlace, at: number): readonly SecretPlace[] {
  if (from === 0 || !isWithinKey(text, { from, to: at })) {
    return findSecrets(text.slice(from, to));
  }
  const places = findSecrets(keyGoesOn + text.slice(from, to));
  return places.map((place) => ({ from: Math.max(0, place.from - keyGoesOn.length), to: place.to - keyGoesOn.length }));
}

/** Returns the part of the text between `from` and `to`, with a mark for each secret that reaches into it. */
function withMarks(text: string, places: readonly SecretPlace[], { from, to }: SecretPlace): string {
  let shown = '';
  let done = from;
  for (const place of places) {
    if (place.to > done && place.from < to) {
      shown += text.slice(done, Math.max(done, place.from)) + secretMark;
      done = place.to;
    }
  }
  return shown + text.slice(done, to);
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
