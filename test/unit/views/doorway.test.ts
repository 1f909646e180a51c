import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Doorway } from '../../../src/views/doorway.ts';

/** A place of VS Code's that can be taken away. */
function placeOf(): { readonly place: vscode.WebviewView; readonly close: () => void } {
  const closing = new EventTarget();
  const onDidDispose = (listener: () => void): void => closing.addEventListener('closed', listener);
  return { place: { onDidDispose } as unknown as vscode.WebviewView, close: () => void closing.dispatchEvent(new Event('closed')) };
}

describe('A view that is loaded when somebody looks', () => {
  it('is loaded once, for every place it is shown in', async () => {
    let loads = 0;
    const doorway = new Doorway({ load: () => Promise.resolve(`view ${(loads += 1)}`), report: (error) => assert.fail(String(error)) });
    const shown: string[] = [];
    assert.equal(doorway.made, undefined);
    await Promise.all([1, 2].map((number) => doorway.enter(placeOf().place, (view) => void shown.push(`${view} in ${number}`))));
    assert.deepEqual([shown, doorway.made], [['view 1 in 1', 'view 1 in 2'], 'view 1']);
  });

  it('says why it could not be loaded, and is shown where it was missing once it is there', async () => {
    const outcomes = [Promise.resolve('view'), Promise.reject(new Error('the disk was away'))];
    const reported: unknown[] = [];
    const doorway = new Doorway({ load: () => outcomes.pop() ?? Promise.resolve('other'), report: (error) => reported.push(error) });
    const shown: string[] = [];
    const [stays, goes] = [placeOf(), placeOf()];
    await Promise.all([
      doorway.enter(stays.place, (view) => void shown.push(`${view} stays`)),
      doorway.enter(goes.place, (view) => void shown.push(`${view} goes`)),
    ]);
    assert.deepEqual([shown, reported.map(String)], [[], ['Error: the disk was away', 'Error: the disk was away']]);
    goes.close();
    await doorway.load();
    assert.deepEqual(shown, ['view stays']);
  });
});
