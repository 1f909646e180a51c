import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { LanguageService, thoseInTime, withTimeLimit } from '../../../../src/editor/language/languageService.ts';
import type { LineSource } from '../../../../src/editor/language/locations.ts';
import { untilAborted } from '../../../../src/base/abort.ts';
import type * as LocationsModule from '../../../../src/editor/language/locations.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

const program = "export { FileLines } from './src/editor/language/locations.ts';";
const { FileLines } = await importWithFakes<typeof LocationsModule>(program, { vscode: '' });

const limitMs = 50;
const unlimited = new AbortController().signal;
const never = new Promise<never>(() => undefined);
const uriOf = (name: string): vscode.Uri => ({ toString: () => `file:///projects/${name}` }) as vscode.Uri;
const document = { languageId: 'typescript', uri: uriOf('a.ts') };
const isEmpty = (answer: readonly unknown[]): boolean => answer.length === 0;

describe('The time a language service has', () => {
  it('is one limit for all steps of a call, which ends with a sentence', async () => {
    const service = new LanguageService(() => never);
    const steps = withTimeLimit(limitMs, unlimited, async (signal) => {
      await untilAborted(new Promise((resolve) => setTimeout(resolve, 10)), signal);
      await service.ask('first', [], signal).catch(() => undefined);
      return service.ask('second', [], signal);
    });
    await assert.rejects(steps, { code: 'language.tooSlow', message: /did not answer in time/ });
  });

  it('ends at once when the client loses interest', async () => {
    const client = new AbortController();
    const asking = withTimeLimit(60_000, client.signal, (signal) => new LanguageService(() => never).ask('any', [], signal));
    client.abort(new Error('cancelled'));
    await assert.rejects(asking, /cancelled/);
    await assert.rejects(
      withTimeLimit(60_000, client.signal, () => never),
      /cancelled/,
    );
  });

  it('ends patience with a service that starts: an empty answer is better than none', async () => {
    const service = new LanguageService(() => never); // not even symbols show that it is up
    const answer = withTimeLimit(limitMs, unlimited, (signal) =>
      service.askPatiently(document, () => Promise.resolve([]), isEmpty, signal),
    );
    assert.deepEqual(await answer, []);
  });

  it('leaves patience for a service that starts', async () => {
    const answers = [[], ['found']];
    const service = new LanguageService(() => Promise.resolve([]));
    const answer = withTimeLimit(10_000, unlimited, (signal) =>
      service.askPatiently(document, () => Promise.resolve(answers.shift() ?? []), isEmpty, signal),
    );
    assert.deepEqual(await answer, ['found']);
  });

  it('is a failure only when nobody of several answered', async () => {
    const ask = (signal: AbortSignal): Promise<string> => untilAborted(never, signal);
    const some = withTimeLimit(limitMs, unlimited, (signal) => thoseInTime([Promise.resolve('folding'), ask(signal)], 'late', signal));
    assert.deepEqual(await some, ['folding', 'late']);
    const none = withTimeLimit(limitMs, unlimited, (signal) => thoseInTime([ask(signal), ask(signal)], 'late', signal));
    await assert.rejects(none, { code: 'language.tooSlow' });
    const failed = withTimeLimit(limitMs, unlimited, (signal) => thoseInTime([Promise.reject(new Error('broken'))], 'late', signal));
    await assert.rejects(failed, /broken/);
  });
});

describe('Previews of places', () => {
  const lines = (): string => 'const a = 1;';
  const opened: string[] = [];
  const source: LineSource = {
    findUnsaved: (uri) => (uri.toString().endsWith('open.ts') ? lines : undefined),
    read: (uri) => {
      opened.push(uri.toString());
      return uri.toString().endsWith('stuck.ts')
        ? never
        : uri.toString().endsWith('gone.ts')
          ? Promise.reject(new Error('gone'))
          : Promise.resolve(lines);
    },
  };
  beforeEach(() => opened.splice(0));

  it('are empty for files that are not read in time, and the places stay', async () => {
    const read = withTimeLimit(limitMs, unlimited, async (signal) => {
      const reader = new FileLines(source, signal);
      const names = ['quick.ts', 'gone.ts', 'stuck.ts', 'later.ts', 'open.ts'];
      const found: string[] = [];
      for (const name of names) {
        found.push((await reader.lineAt(uriOf(name), 0)).text);
      }
      return found;
    });
    assert.deepEqual(await read, ['const a = 1;', '', '', '', 'const a = 1;']);
    assert.equal(opened.length, 3, 'nothing is read once the time is up');
  });

  it('are told apart from those of files that were not read, because they are gone or too many', async () => {
    const reader = new FileLines(source, unlimited);
    const isUnread = async (name: string): Promise<boolean> => (await reader.lineAt(uriOf(name), 0)).isUnread;
    assert.deepEqual([await isUnread('gone.ts'), await isUnread('open.ts')], [true, false]);
    const unread: number[] = [];
    for (let index = 0; index < 320; index += 1) {
      unread.push(...((await isUnread(`${index}.ts`)) ? [index] : []));
    }
    assert.deepEqual([unread[0], unread.length], [299, 21]);
    assert.equal(await isUnread('open.ts'), false, 'what is open need not be read');
  });

  it('end with the client', async () => {
    const client = new AbortController();
    const reading = new FileLines(source, client.signal).lineAt(uriOf('stuck.ts'), 0);
    client.abort(new Error('cancelled'));
    await assert.rejects(reading, /cancelled/);
  });
});
