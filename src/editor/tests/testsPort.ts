import type { Disposable } from '../../base/lifecycle.ts';
import type { TestsPort } from '../../server/ports/testsPort.ts';

export function createTestsPort(): TestsPort & Disposable {
  return { dispose: () => undefined };
}
