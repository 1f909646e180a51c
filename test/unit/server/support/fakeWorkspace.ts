import type { WorkspacePort } from '../../../../src/server/ports/workspacePort.ts';

export class FakeWorkspace implements WorkspacePort {}
