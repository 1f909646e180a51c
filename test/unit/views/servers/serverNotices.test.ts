import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type * as ServerNoticesModule from '../../../../src/views/servers/serverNotices.ts';
import type * as ServerStartsModule from '../../../../src/views/servers/serverStarts.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { snapshotOf } from '../../host/snapshots.ts';

interface Program extends Pick<typeof ServerNoticesModule, 'ServerNotices'>, Pick<typeof ServerStartsModule, 'ServerStarts'> {
  /** Each notification, and how the person answers it. */
  readonly shown: { readonly sentence: string; answer(button?: string): void }[];
}

const program = `
  export { ServerNotices } from './src/views/servers/serverNotices.ts';
  export { ServerStarts } from './src/views/servers/serverStarts.ts';
  export { shown } from 'vscode';`;
const editor = `
  export const shown = [];
  export const l10n = { t: (text, ...args) => text.replace(/\\{(\\d)\\}/g, (_, index) => args[index]) };
  export const [env, ProgressLocation, commands] = [{ language: 'en' }, { Notification: 15 }, {}];
  export const window = {
    showInformationMessage: (sentence) => new Promise((answer) => shown.push({ sentence, answer })),
    showWarningMessage: (sentence) => new Promise((answer) => shown.push({ sentence, answer })),
    withProgress: (_, work) => work({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  };`;

describe('A running server that wants more access', function () {
  this.timeout(60_000);
  let loaded: Program;
  let signedIn: (readonly [string, string | undefined])[];
  let outcomes: object[];
  let notices: InstanceType<Program['ServerNotices']>;

  beforeEach(async () => {
    signedIn = [];
    outcomes = [];
    loaded = await importWithFakes<Program>(program, { vscode: editor });
    const ready = { kind: 'ready', serverName: 'notes', version: '1', protocolVersion: '2025-11-25', capabilities: [] } as const;
    const registry = { servers: () => [snapshotOf('user:notes', ready)], requireTrust: () => undefined };
    const signIns = {
      signIn: (id: string, scope?: string) => {
        signedIn.push([id, scope]);
        return Promise.resolve(outcomes.shift() ?? { kind: 'signedIn', issuer: 'https://auth.example' });
      },
      cancelSignIn: () => undefined,
    };
    const common = { registry, logs: { logFor: () => silentLog }, signIns, ask: undefined, reporter: undefined };
    const starts = new loaded.ServerStarts(common as unknown as ServerStartsModule.ServerStartsOptions);
    const options = { ...common, starts, isExpected: () => false };
    notices = new loaded.ServerNotices(options as unknown as ServerNoticesModule.ServerNoticesOptions);
  });
  afterEach(() => notices.dispose());

  it('is signed in to again by the button, with the scope that was shown', async () => {
    const offered = notices.offerMoreAccess({ serverId: 'user:notes', scope: 'notes:write' });
    assert.equal(loaded.shown[0]?.sentence, 'The MCP server “user:notes” wants more access: notes:write');
    loaded.shown[0].answer('Sign In');
    await offered;
    assert.deepEqual(signedIn, [['user:notes', 'notes:write']]);
  });

  it('is told of once until the person has signed in, also at the second try', async () => {
    const wish = { serverId: 'user:notes', scope: 'notes:write' };
    outcomes.push({ kind: 'failed', error: new AppError('auth.timeout', 'The sign-in was not finished in time.') });
    const offered = notices.offerMoreAccess(wish);
    loaded.shown[0]?.answer('Sign In');
    await new Promise((resolve) => setImmediate(resolve));
    await notices.offerMoreAccess(wish);
    assert.match(loaded.shown[1]?.sentence ?? '', /^Signing in to “user:notes” failed\. The sign-in was not finished in time\./);
    loaded.shown[1]?.answer('Try Again');
    await offered;
    assert.deepEqual(signedIn, [
      ['user:notes', 'notes:write'],
      ['user:notes', 'notes:write'],
    ]);
    await notices.offerMoreAccess(wish);
    assert.equal(loaded.shown.length, 2);
  });

  it('is left alone when the person closes the notification', async () => {
    const offered = notices.offerMoreAccess({ serverId: 'user:notes', scope: undefined });
    assert.equal(loaded.shown[0]?.sentence, 'The MCP server “user:notes” wants more access.');
    loaded.shown[0].answer();
    await offered;
    assert.deepEqual(signedIn, []);
  });

  it('names a scope that makes no link, hides nothing and is not long', () => {
    void notices.offerMoreAccess({ serverId: 'user:notes', scope: `[all](command:x)\u202e${'x'.repeat(10_000)}` });
    const sentence = loaded.shown[0]?.sentence ?? '';
    assert.ok(sentence.length < 300);
    assert.ok(!sentence.includes(']('));
    assert.ok(!sentence.includes('\u202e'));
  });

  it('is not told of once it is gone', async () => {
    await notices.offerMoreAccess({ serverId: 'user:gone', scope: 'notes:write' });
    assert.deepEqual(loaded.shown, []);
  });
});
