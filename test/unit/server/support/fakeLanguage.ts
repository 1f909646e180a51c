import type { LanguagePort } from '../../../../src/server/ports/languagePort.ts';

export class FakeLanguage implements LanguagePort {}
