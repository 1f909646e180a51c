import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { ownTime } from '../../support/longestBlock.ts';
import { argumentForm } from './support.ts';

/** The promise is 100 ms on a machine that does nothing else. */
const maxMs = 400;

function values(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

describe('A schema that repeats itself', () => {
  const cases: readonly (readonly [name: string, schema: JsonObject])[] = [
    ['two long lists that have nothing in common', { enum: values(5_000, 'a'), allOf: [{ enum: values(5_000, 'b') }] }],
    ['two long lists that are equal', { enum: values(5_000, 'a'), allOf: [{ enum: values(5_000, 'a') }] }],
    [
      'long lists under every alternative',
      { enum: values(2_000, 'a'), anyOf: values(20, 'k').map((title) => ({ title, enum: values(2_000, 'a') })) },
    ],
    ['very many parts', { type: 'object', allOf: values(2_000, 'p').map((name) => ({ properties: { [name]: { type: 'string' } } })) }],
  ];
  for (const [name, schema] of cases) {
    it(`has its form at once: ${name}`, async () => {
      const whole = { type: 'object', properties: { value: schema } };
      const ms = await ownTime(() => argumentForm(whole));
      assert.ok(ms < maxMs, `${ms.toFixed(0)} ms`);
    });
  }
});
