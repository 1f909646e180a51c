import assert from 'node:assert/strict';
import { chooseWindow } from '../../../src/bridge/chooseWindow.ts';
import type { DiscoveredWindow } from '../../../src/bridge/findWindows.ts';
import { discoveryContent } from './discoveryContent.ts';

function windowOn(name: string, ...roots: string[]): DiscoveredWindow {
  return { file: `/windows/${name}.json`, content: discoveryContent({ name }), roots };
}

const app = windowOn('app', '/projects/app', '/projects/shared');
const inner = windowOn('inner', '/projects/app/packages/inner');
const empty = windowOn('empty');

/** The name of the chosen window, or why there is none. */
function choose(windows: readonly DiscoveredWindow[], cwd: string, workspace?: string, platform: NodeJS.Platform = 'linux'): string {
  const choice = chooseWindow(windows, { cwd, workspace }, platform);
  return choice.kind === 'chosen' ? choice.window.content.name : choice.kind;
}

describe('The window chosen', () => {
  it('is the one whose folder holds the working directory most closely', () => {
    assert.equal(choose([empty, app, inner], '/projects/app/src'), 'app');
    assert.equal(choose([empty, app, inner], '/projects/shared'), 'app');
    assert.equal(choose([app, inner], '/projects/app/packages/inner/src/'), 'inner');
    assert.equal(choose([inner, app], '/projects/app/packages'), 'app');
  });

  it('is the one whose folder holds a root of the client most closely, before the working directory counts', () => {
    const among = (roots: readonly string[], cwd = '/projects/shared', workspace?: string): string => {
      const choice = chooseWindow([empty, app, inner], { cwd, workspace, roots }, 'linux');
      return choice.kind === 'chosen' ? choice.window.content.name : choice.kind;
    };
    assert.equal(among(['/projects/app/packages/inner/src']), 'inner');
    assert.equal(among(['/elsewhere', '/projects/app', '/projects/app/packages/inner']), 'inner');
    assert.equal(among(['/elsewhere']), 'app');
    assert.equal(among(['/elsewhere'], '/'), 'ambiguous');
    assert.equal(among(['/projects/app'], '/', '/projects/app/packages/inner'), 'inner');
  });

  it('is matched by whole segments of the path', () => {
    assert.equal(choose([app, empty], '/projects/app-two'), 'ambiguous');
    assert.equal(choose([app, empty], '/projects/app/../other'), 'ambiguous');
    assert.equal(choose([app, empty], '/work'), 'ambiguous');
  });

  it('is the only one, whatever it has open', () => {
    assert.equal(choose([app], '/elsewhere'), 'app');
    assert.equal(choose([empty], '/'), 'empty');
  });

  it('is none when there is no window, or several and no match', () => {
    assert.equal(choose([], '/projects/app'), 'noWindow');
    assert.equal(choose([], '/projects/app', '/projects/app'), 'noWindow');
    assert.equal(choose([app, empty], '/elsewhere'), 'ambiguous');
  });

  it('is decided by --workspace alone', () => {
    assert.equal(choose([app, inner], '/projects/app', '/projects/app/packages/inner'), 'inner');
    assert.equal(choose([app], '/projects/app', '/elsewhere'), 'noMatch');
  });

  it('is the younger of two on the same folder', () => {
    const content = discoveryContent({ name: 'younger', startedAt: '2026-01-02T00:00:00.000Z' });
    const younger: DiscoveredWindow = { ...app, content };
    assert.equal(choose([app, younger], '/projects/app'), 'younger');
    assert.equal(choose([younger, app], '/projects/app'), 'younger');
  });

  it('is, of two on the same folder, the one that was used last, and none that nobody used yet', () => {
    const used = (name: string, startedAt: string, lastUsedAt?: string): DiscoveredWindow => {
      const content = discoveryContent({ name, startedAt, ...(lastUsedAt !== undefined && { lastUsedAt }) });
      return { ...app, content };
    };
    const old = used('old', '2026-01-01T00:00:00.000Z', '2026-01-03T10:00:00.000Z');
    const younger = used('younger', '2026-01-02T00:00:00.000Z', '2026-01-03T09:00:00.000Z');
    const unused = used('unused', '2026-01-04T00:00:00.000Z');
    const odd = used('odd', '2026-01-04T00:00:00.000Z', 'yesterday');
    assert.equal(choose([younger, odd, old, unused], '/projects/app'), 'old');
    assert.equal(choose([unused, old, younger], '/projects/app'), 'old');
    assert.equal(choose([old, inner], '/projects/app/packages/inner'), 'inner', 'a closer folder counts first');
  });

  it('is found on Windows whatever the case and the slashes', () => {
    const other = windowOn('other', 'd:\\Else');
    assert.equal(choose([windowOn('app', 'c:\\Projects\\App'), other], 'C:/projects/app/src', undefined, 'win32'), 'app');
    assert.equal(choose([windowOn('app', 'c:\\Projects\\App'), other], 'C:\\projects\\app2', undefined, 'win32'), 'ambiguous');
  });
});
