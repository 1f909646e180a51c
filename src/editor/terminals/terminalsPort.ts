import type { Disposable } from '../../base/lifecycle.ts';
import type { TerminalsPort } from '../../server/ports/terminalsPort.ts';

export function createTerminalsPort(): TerminalsPort & Disposable {
  return { dispose: () => undefined };
}
