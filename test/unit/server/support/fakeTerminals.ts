import type { TerminalsPort } from '../../../../src/server/ports/terminalsPort.ts';

export class FakeTerminals implements TerminalsPort {}
