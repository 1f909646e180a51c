import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { keyHelp } from '../../../src/languageServer/helpTexts.ts';
import { documentKind } from '../../../src/languageServer/documents.ts';
import { fileSchemaText } from '../../../src/languageServer/fileSchema.ts';

interface Shape {
  readonly markdownDescription?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly enum?: readonly string[];
}

describe('The schema of files with servers', () => {
  const definition = (JSON.parse(fileSchemaText()) as Shape).properties?.['mcpServers']?.additionalProperties;

  it('describes every key that the language server knows, in the same words', () => {
    for (const [key, help] of Object.entries(keyHelp)) {
      const found = key.split('.').reduce<Shape | undefined>((shape, step) => shape?.properties?.[step], definition);
      assert.equal(found?.markdownDescription, help, key);
    }
    assert.deepEqual(definition?.properties?.['type']?.enum, ['stdio', 'http', 'sse', 'ws']);
  });

  it('is contributed for files of other tools, which have none of their own in VS Code', () => {
    const manifest = JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')) as {
      contributes: { jsonValidation: readonly { fileMatch: readonly string[]; url: string }[] };
    };
    const [validation, ...others] = manifest.contributes.jsonValidation;
    assert.deepEqual([validation?.url, others], ['duplex-schema:/servers.json', []]);
    assert.deepEqual(
      validation?.fileMatch.map((file) => documentKind(`file:///projects${file}`)),
      ['mcpJson', 'cursor', 'claudeDesktop'],
    );
  });
});
