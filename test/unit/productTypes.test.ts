import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';

interface Configuration {
  readonly compilerOptions: { readonly types: readonly string[] };
  readonly include: readonly string[];
}

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const configuration = (file: string): Configuration => JSON.parse(read(file)) as Configuration;

/** Types decide which globals there are: with those of a test runner, `describe` in the product would pass the type check. */
describe('Product code is type-checked', () => {
  it('with the globals of Node, and without those of tests', () => {
    const { compilerOptions, include } = configuration('tsconfig.json');
    assert.deepEqual({ types: compilerOptions.types, include }, { types: ['node'], include: ['src/**/*.ts', 'src/build/*.mjs'] });
  });

  it('in web pages with the globals of neither', () => {
    assert.deepEqual(configuration('src/webview/tsconfig.json').compilerOptions.types, []);
  });

  it('with no types that a file brings in by itself', () => {
    const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    assert.deepEqual(
      sources.filter((file) => /^\/\/\/\s*<reference/m.test(read(path.join('src', file)))),
      [],
    );
  });
});
