import type { Disposable } from '../../base/lifecycle.ts';
import type { LanguagePort } from '../../server/ports/languagePort.ts';

export function createLanguagePort(): LanguagePort & Disposable {
  return { dispose: () => undefined };
}
