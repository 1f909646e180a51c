import type { ActingPort } from '../../../../src/server/ports/actingPort.ts';

export class FakeActing implements ActingPort {}
