import assert from 'node:assert/strict';
import type { SchemaChecker } from '../../../../src/host/connection/schemaChecks.ts';
import { createTestHost, failureOf, type TestHost } from '../support.ts';

const gaveUp = { kind: 'gaveUp', reason: 'took longer than 5 s' } as const;

describe('A tool with an output schema', () => {
  let host: TestHost | undefined;
  afterEach(() => host?.close());

  async function startWith(check: SchemaChecker['check'], more = {}): Promise<TestHost> {
    host = await createTestHost({ ports: { schemas: { check } } });
    await host.startScripted('normal', more);
    return host;
  }

  it('keeps its result when checking it was given up: the tool has acted, and must not act again', async () => {
    const started = await startWith((_schema, value) => Promise.resolve(value === undefined ? { kind: 'fits' } : gaveUp));
    const outcome = await started.call('structured');
    assert.ok(outcome.kind === 'result', outcome.kind);
    assert.deepEqual(outcome.result, {
      isError: false,
      structuredContent: { answer: 42 },
      content: [
        { type: 'text', text: '{"answer": 42}' },
        {
          type: 'text',
          text: "Note: this result was not checked against the tool's output schema. Checking it was given up: it took longer than 5 s.",
        },
      ],
    });
  });

  it('is not called when its schema cannot be read in time', async () => {
    const values: unknown[] = [];
    const started = await startWith((_schema, value) => {
      values.push(value);
      return Promise.resolve(gaveUp);
    });
    assert.equal(failureOf(await started.call('structured')).code, 'host.invalidAnswer');
    assert.deepEqual(values, [undefined]);
  });

  it('does not lose its result by timeout while that is being checked', async () => {
    const started = await startWith(
      async (_schema, value, { signal }) => {
        if (value !== undefined) {
          const begun = performance.now();
          await host?.until(() => signal.aborted || performance.now() - begun > 1_500, 'more than the timeout');
          signal.throwIfAborted();
        }
        return { kind: 'fits' };
      },
      { timeout: 1_000 },
    );
    assert.equal((await started.call('structured')).kind, 'result');
  });
});
