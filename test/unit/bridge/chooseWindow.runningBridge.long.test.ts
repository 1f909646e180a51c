import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../../../src/base/events.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { WindowUse } from '../../../src/server/window/discovery.ts';
import { deferred } from '../server/support/deferred.ts';
import { initializeParams } from '../server/support/httpPeer.ts';
import { answerOf, isError, textOf, useBridge, type BridgeBench } from './support/bridgeBench.ts';
import type { BridgePeer } from './support/bridgePeer.ts';

const execFileAsync = promisify(execFile);

describe('The window that the bridge connects its host to', function () {
  this.timeout(30_000);
  const bench = useBridge();
  const launch: BridgeBench['launch'] = (...start) => bench().launch(...start);
  const openWindow: BridgeBench['openWindow'] = (...window) => bench().openWindow(...window);

  /** Where the window is that answers. */
  async function folderSeen(peer: BridgePeer): Promise<string | undefined> {
    const call = await peer.callTool('list_workspace_folders');
    assert.equal(isError(call), false, textOf(call));
    return (answerOf(call) as { folders: { path: string }[] }).folders[0]?.path;
  }

  it('is the one around its working directory, or the one that is named', async () => {
    await openWindow({}, '/projects/other');
    const { folder } = bench();
    const here = await openWindow({}, folder);
    here.editor.editors = [];
    const elsewhere = path.join(folder, 'elsewhere');
    await openWindow({}, elsewhere);
    const byPlace = launch();
    await byPlace.initialize();
    assert.equal(await folderSeen(byPlace), folder);
    const named = launch(['--workspace', 'elsewhere']);
    await named.initialize();
    assert.equal(await folderSeen(named), elsewhere);
  });

  it('is to be chosen by the person when several fit equally, and the last one that is left', async () => {
    const one = await openWindow({ windowName: 'one' }, '/projects/one');
    await openWindow({ windowName: 'two' }, '/projects/two');
    const peer = launch();
    await peer.initialize();
    const call = await peer.callTool('list_workspace_folders');
    assert.equal(isError(call), true);
    assert.match(textOf(call), /Choose one with --workspace PATH:\n.*\/projects\/(?:one|two)\n.*\/projects\/(?:one|two)\n/s);
    assert.doesNotMatch(textOf(call) + peer.complaints, new RegExp(one.token));
    await bench().closeWindow(one);
    await peer.notification('notifications/tools/list_changed');
    assert.equal(await folderSeen(peer), '/projects/two');
  });

  /** The use of a window, which a test decides. */
  function useOf(title: string): WindowUse & { use(): void } {
    const changed = new Emitter<void>();
    let lastUsedAt: Date | undefined;
    return {
      title: () => title,
      lastUsedAt: () => lastUsedAt,
      onDidChange: changed.event,
      use: () => {
        lastUsedAt = new Date();
        changed.fire();
      },
    };
  }

  /** What `--list` prints, once it says that this window was used last. */
  async function listOnce(isListed: (windows: readonly { readonly title: string; readonly used: string }[]) => boolean): Promise<void> {
    for (;;) {
      const { stdout } = await execFileAsync(process.execPath, [bench().bridge.script, '--list'], {
        env: { ...process.env, DUPLEX_HOME: path.join(bench().folder, 'home') },
      });
      const windows = [...stdout.matchAll(/ {2}title (.*)\n(?: {2}last used (.*)\n)?/g)].map(([, title = '', used = '']) => ({
        title,
        used,
      }));
      if (isListed(windows)) {
        return;
      }
    }
  }

  it('is, of two with one folder, the one that the person used last, which --list tells apart by their titles', async () => {
    const { folder } = bench();
    const [first, second] = [useOf('cart.ts - demo'), useOf('notes.md - demo')];
    const one = await openWindow({ windowUse: first }, folder);
    const two = await openWindow({ windowUse: second }, folder);
    one.editor.folders = [...one.editor.folders, { name: 'one', path: '/one', uri: 'file:///one', index: 1 }];
    two.editor.folders = [...two.editor.folders, { name: 'two', path: '/two', uri: 'file:///two', index: 1 }];
    const secondFolder = async (): Promise<string | undefined> => {
      const peer = launch();
      await peer.initialize();
      const call = await peer.callTool('list_workspace_folders');
      return (answerOf(call) as { folders: { path: string }[] }).folders[1]?.path;
    };
    for (const [use, path_] of [
      [first, '/one'],
      [second, '/two'],
      [first, '/one'],
    ] as const) {
      use.use();
      await listOnce((windows) => {
        const [latest] = windows.toSorted((a, b) => (a.used < b.used ? 1 : -1));
        return windows.length === 2 && latest?.title === use.title() && latest.used === use.lastUsedAt()?.toISOString();
      });
      assert.equal(await secondFolder(), path_);
    }
  });

  it('is, after a reload, the one that it was, though another one with its folder is open', async () => {
    const { folder } = bench();
    const lost = await openWindow({ windowUse: useOf('lost') }, folder);
    const peer = launch();
    await peer.initialize();
    assert.equal(await folderSeen(peer), folder);
    const twin = await openWindow({ windowUse: useOf('twin') }, folder);
    await bench().closeWindow(lost);
    const call = peer.callTool('list_open_editors');
    const back = await openWindow({ windowUse: useOf('back') }, folder);
    [twin, back].forEach((server, index) => (server.editor.editors = server.editor.editors.slice(0, index)));
    assert.equal((answerOf(await call) as { editors: unknown[] }).editors.length, 1);
  });

  const gone = { ping: () => new Promise<never>(() => undefined) };

  it('is none whose page is gone, however well it fits', async () => {
    await openWindow({ workbench: gone }, bench().folder);
    await openWindow({}, '/projects/other');
    const peer = launch();
    await peer.initialize();
    assert.equal(await folderSeen(peer), '/projects/other');
  });

  it('may be one that opens: its page is busy for a moment', async () => {
    const drawn = deferred();
    await openWindow({ workbench: { ping: () => drawn.promise } }, bench().folder);
    await openWindow({}, '/projects/other');
    const peer = launch();
    const timer = setTimeout(drawn.resolve, 3_000); // more than a page may take, less than one that is asked twice
    await peer.initialize();
    assert.equal(await folderSeen(peer), bench().folder);
    clearTimeout(timer);
  });

  it('is, of several that fit equally, the only one whose page answers', async () => {
    await openWindow({ workbench: gone }, '/projects/one');
    await openWindow({}, '/projects/two');
    await openWindow({ workbench: gone }, '/projects/three');
    const peer = launch();
    await peer.initialize();
    assert.equal(await folderSeen(peer), '/projects/two');
  });

  it('is missing with a reason when the page of the only one is gone', async () => {
    await openWindow({ workbench: gone, windowName: 'shut' });
    const peer = launch();
    await peer.initialize();
    const call = await peer.callTool('list_workspace_folders');
    assert.equal(isError(call), true);
    assert.match(
      textOf(call),
      /^No VS Code window with Duplex answers\.\nNot used: "shut", .*does not answer: the page was closed or hangs; reload it/,
    );
  });

  async function initializeWithRoots(peer: BridgePeer): Promise<JsonObject> {
    const params = { ...initializeParams('2025-06-18'), capabilities: { roots: { listChanged: true } } };
    const opening = await peer.request('initialize', params);
    peer.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return opening.result as JsonObject;
  }
  const askedForRoots = (peer: BridgePeer): Promise<JsonObject> => peer.take(({ method }) => method === 'roots/list');

  it('is the one that fits the roots of the host, rather than the working directory', async () => {
    await openWindow({}, bench().folder);
    const work = path.join(bench().folder, 'elsewhere', 'work');
    await openWindow({}, work);
    const peer = launch();
    const opening = await initializeWithRoots(peer);
    const roots = [{ uri: 'https://example.com/' }, { uri: pathToFileURL(path.join(work, 'src')).href }];
    const { id } = await askedForRoots(peer);
    const call = folderSeen(peer);
    peer.send({ jsonrpc: '2.0', id, result: { roots } });
    assert.equal(await call, work);
    const other = launch(['--workspace', bench().folder]);
    const plain = await initializeWithRoots(other);
    assert.equal(await folderSeen(other), bench().folder, '--workspace decides');
    assert.deepEqual(opening, plain, 'and the handshake is the window’s');
  });

  it('is the one around the working directory for a host that does not tell its roots', async () => {
    await openWindow({}, '/projects/other');
    await openWindow({}, bench().folder);
    const [failing, mute] = [launch(), launch()];
    await Promise.all([initializeWithRoots(failing), initializeWithRoots(mute)]);
    const { id } = await askedForRoots(failing);
    failing.send({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } });
    assert.equal(await folderSeen(failing), bench().folder);
    await askedForRoots(mute);
    assert.equal(await folderSeen(mute), bench().folder);
  });

  it('comes without news for a host that was answered nothing but the handshake', async () => {
    await openWindow({}, bench().folder);
    const peer = launch();
    await initializeWithRoots(peer);
    const { id } = await askedForRoots(peer);
    peer.send({ jsonrpc: '2.0', id, result: { roots: [] } });
    let news = 0;
    void peer.notification('notifications/tools/list_changed').then(
      () => (news += 1),
      () => undefined,
    );
    await peer.request('tools/list');
    await peer.request('prompts/list');
    assert.equal(news, 0);
  });
});
