import type { Disposable } from '../../base/lifecycle.ts';
import type { WorkspacePort } from '../../server/ports/workspacePort.ts';

export function createWorkspacePort(): WorkspacePort & Disposable {
  return { dispose: () => undefined };
}
