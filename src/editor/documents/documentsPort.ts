import type { Disposable } from '../../base/lifecycle.ts';
import type { DocumentsPort } from '../../server/ports/documentsPort.ts';

export function createDocumentsPort(): DocumentsPort & Disposable {
  return { dispose: () => undefined };
}
