import assert from 'node:assert/strict';
import { keysOf } from '../support/run/lintedFiles.mjs';

const files = {
  'package.json': '{}',
  'src/ambient.d.ts': 'declare const version: string;',
  'src/price.ts': 'export const price = 1;',
  'src/cart.ts': "import { price } from './price.ts';\nexport const total = price;",
  'src/shop.ts': "export const load = () => import('./cart.ts');",
  'src/apart.ts': 'export const apart = true;',
};

function lintedAgain(changes: Readonly<Record<string, string>>, tools = ['node 20']): string[] {
  const before = keysOf(new Map(Object.entries(files)), ['node 20']);
  const after = keysOf(new Map(Object.entries({ ...files, ...changes })), tools);
  return [...after].filter(([file, key]) => before.get(file) !== key).map(([file]) => file);
}

describe('What is linted again', () => {
  const all = ['src/ambient.d.ts', 'src/price.ts', 'src/cart.ts', 'src/shop.ts', 'src/apart.ts'];

  it('is nothing when nothing has changed', () => {
    assert.deepEqual(lintedAgain({}), []);
  });

  it('is what has changed, and what imports it by any way', () => {
    assert.deepEqual(lintedAgain({ 'src/price.ts': "export const price = 'free';" }), ['src/price.ts', 'src/cart.ts', 'src/shop.ts']);
    assert.deepEqual(lintedAgain({ 'src/shop.ts': 'export {};' }), ['src/shop.ts']);
  });

  it('is also what imports a file that was not there', () => {
    const importing = { 'src/late.ts': "import type { Late } from './later.js';\nexport type Later = Late;" };
    const later = keysOf(new Map(Object.entries({ ...files, ...importing, 'src/later.ts': 'export type Late = 1;' })), ['node 20']);
    assert.notEqual(later.get('src/late.ts'), keysOf(new Map(Object.entries({ ...files, ...importing })), ['node 20']).get('src/late.ts'));
  });

  it('is everything when a tool, a setting or a type that needs no import is another one', () => {
    assert.deepEqual(lintedAgain({}, ['node 22']), all);
    assert.deepEqual(lintedAgain({ 'package.json': '{ "type": "module" }' }), all);
    assert.deepEqual(lintedAgain({ 'src/ambient.d.ts': 'declare const version: number;' }), all);
    assert.deepEqual(lintedAgain({ 'src/apart.ts': 'declare global { var shared: string; }\nexport {};' }), all);
  });
});
