import type { Disposable } from '../../base/lifecycle.ts';
import type { ActingPort } from '../../server/ports/actingPort.ts';

export function createActingPort(): ActingPort & Disposable {
  return { dispose: () => undefined };
}
