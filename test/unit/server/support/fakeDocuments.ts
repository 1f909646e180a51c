import type { DocumentsPort } from '../../../../src/server/ports/documentsPort.ts';

export class FakeDocuments implements DocumentsPort {}
