import { hasSensitiveName } from '../../base/sensitiveNames.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CarriedText } from '../../contract/callKnowledge.ts';
import type { TextPiece } from './textPieces.ts';

/** They are there to be shared, without any value in them. */
const patternFile = /(?:^|[\\/])\.env[^\\/]*\.(?:example|sample|template|dist)$/i;

/**
 * What is known about where a result came from, which is little: that the call was given the name of a file that holds secrets
 * by custom, or an address of the web, or that the result names one. Whether the text is out of there is not known.
 */
export function sourceOf(given: readonly TextPiece[], said: readonly TextPiece[]): CarriedText['source'] {
  const secret = given.find(({ text, isKey }) => !isKey && text.length < 2_000 && hasSensitiveName(text) && !patternFile.test(text));
  if (secret !== undefined) {
    return { kind: 'withheldFile', name: revealInvisible(secret.text.split(/[\\/]/).at(-1) ?? secret.text).slice(0, 200) };
  }
  // `uri` of links and of embedded resources.
  const links = said.filter(({ path, isKey }) => !isKey && /(?:^|\.)uri$/.test(path));
  const host = [...given, ...links].map(({ text }) => webHostOf(text)).find((each) => each !== undefined);
  return host === undefined ? { kind: 'result' } : { kind: 'webPage', host };
}

function webHostOf(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text.trim()) && text.length < 8_000 && URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  return address === undefined ? undefined : revealInvisible(address.host).slice(0, 200);
}
