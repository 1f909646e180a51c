import type { TestsPort } from '../../../../src/server/ports/testsPort.ts';

export class FakeTests implements TestsPort {}
