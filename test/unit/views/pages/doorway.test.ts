import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Doorway as AnyDoorway, DoorwayOptions } from '../../../../src/views/pages/doorway.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Program {
  readonly Doorway: new <View>(options: DoorwayOptions<View>) => AnyDoorway<View>;
  readonly serializers: Map<string, vscode.WebviewPanelSerializer>;
  readonly providers: Map<string, vscode.WebviewViewProvider>;
}

const program = "export { Doorway } from './src/views/pages/doorway.ts'; export { serializers, providers } from 'vscode';";
const editor = `
  export const serializers = new Map();
  export const providers = new Map();
  export const window = {
    registerWebviewPanelSerializer: (name, serializer) => (serializers.set(name, serializer), { dispose: () => serializers.delete(name) }),
    registerWebviewViewProvider: (name, provider) => (providers.set(name, provider), { dispose: () => providers.delete(name) }),
  };`;

/** A place of VS Code's that can be taken away. */
function placeOf(): { readonly place: vscode.WebviewView; readonly close: () => void } {
  const closing = new EventTarget();
  const onDidDispose = (listener: () => void): void => closing.addEventListener('closed', listener);
  return { place: { onDidDispose } as unknown as vscode.WebviewView, close: () => void closing.dispatchEvent(new Event('closed')) };
}

describe('A view that is loaded when somebody looks', function () {
  this.timeout(60_000);
  let loaded: Program;
  before(async () => (loaded = await importWithFakes<Program>(program, { vscode: editor })));

  it('is loaded once, for every place it is shown in', async () => {
    let loads = 0;
    const doorway = new loaded.Doorway({
      load: () => Promise.resolve(`view ${(loads += 1)}`),
      report: (error) => assert.fail(String(error)),
    });
    const shown: string[] = [];
    assert.equal(doorway.made, undefined);
    await Promise.all([1, 2].map((number) => doorway.enter(placeOf().place, (view) => void shown.push(`${view} in ${number}`))));
    assert.deepEqual([shown, doorway.made], [['view 1 in 1', 'view 1 in 2'], 'view 1']);
    doorway.dispose();
  });

  it('says why it could not be loaded, and is shown where it was missing once it is there', async () => {
    const outcomes = [Promise.resolve('view'), Promise.reject(new Error('the disk was away'))];
    const reported: unknown[] = [];
    const doorway = new loaded.Doorway({ load: () => outcomes.pop() ?? Promise.resolve('other'), report: (error) => reported.push(error) });
    const shown: string[] = [];
    const [stays, goes] = [placeOf(), placeOf()];
    await Promise.all([
      doorway.enter(stays.place, (view) => void shown.push(`${view} stays`)),
      doorway.enter(goes.place, (view) => void shown.push(`${view} goes`)),
    ]);
    assert.deepEqual([shown, reported.map(String)], [[], ['Error: the disk was away', 'Error: the disk was away']]);
    goes.close();
    await doorway.get();
    assert.deepEqual(shown, ['view stays']);
    doorway.dispose();
  });

  it('is shown in the tabs of before a reload, also when it could only be loaded later', async () => {
    const said: string[] = [];
    const attempts = [Promise.resolve('view'), Promise.reject(new Error('the disk was away'))];
    const doorway = new loaded.Doorway({
      load: () => attempts.pop() ?? Promise.resolve('other'),
      report: (error) => said.push(String(error)),
    });
    doorway.reopenTabs('duplex.tab', (view, _, stored) => void said.push(`${view} restores ${String(stored)}`));
    const panel = placeOf().place as unknown as vscode.WebviewPanel;
    await loaded.serializers.get('duplex.tab')?.deserializeWebviewPanel(panel, 'one');
    assert.deepEqual(said, ['Error: the disk was away']);
    await loaded.serializers.get('duplex.tab')?.deserializeWebviewPanel(panel, 'two');
    assert.deepEqual(said.slice(1).sort(), ['view restores one', 'view restores two']);
    doorway.dispose();
    assert.equal(loaded.serializers.size, 0);
  });

  it('is shown where VS Code keeps a place for it', async () => {
    const shown: unknown[] = [];
    const doorway = new loaded.Doorway({ load: () => Promise.resolve('view'), report: (error) => assert.fail(String(error)) });
    doorway.showIn('duplex.view', (view, place) => void shown.push([view, place]));
    const { place } = placeOf();
    await loaded.providers.get('duplex.view')?.resolveWebviewView(place, {} as never, {} as never);
    assert.deepEqual(shown, [['view', place]]);
    doorway.dispose();
    assert.equal(loaded.providers.size, 0);
  });
});
