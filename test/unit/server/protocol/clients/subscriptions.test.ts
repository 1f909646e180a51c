import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/events.ts';
import { ListChanges } from '../../../../../src/server/protocol/clients/listChanges.ts';
import { Subscriptions } from '../../../../../src/server/protocol/clients/subscriptions.ts';
import { createEditorCatalog } from '../../../../../src/server/offer/editorCatalog.ts';
import type { Catalog, CatalogPart, Resource } from '../../../../../src/server/offer/catalog/catalog.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { FakeEditor } from '../../support/fakePorts.ts';

describe('Subscriptions', () => {
  let clock: FakeClock;
  let editor: FakeEditor;
  let catalog: Catalog;
  let told: string[];
  const required = (uri: string): Resource => {
    const resource = catalog.findResource(uri, fakeCall().viewer);
    assert.ok(resource);
    return resource;
  };
  let subscriptions: Subscriptions;
  beforeEach(() => {
    clock = new FakeClock();
    editor = new FakeEditor();
    catalog = createEditorCatalog(editor, { for: () => editor, toActFor: () => editor });
    told = [];
    subscriptions = new Subscriptions(clock, 100, (uri) => told.push(uri));
  });
  afterEach(() => subscriptions.dispose());

  it('a burst of changes is told at once and then once more', () => {
    subscriptions.add(required('diagnostics://workspace'));
    for (let change = 0; change < 50; change += 1) {
      editor.didChangeDiagnostics.fire();
    }
    assert.equal(told.length, 1);
    clock.advance(99);
    assert.equal(told.length, 1);
    clock.advance(1);
    assert.equal(told.length, 2);
    clock.advance(1_000);
    assert.equal(told.length, 2);
  });

  it('each URI is told of its own changes only', () => {
    subscriptions.add(required('diagnostics://workspace'));
    subscriptions.add(required('editor://open'));
    editor.didChangeOpenEditors.fire();
    editor.didChangeWorkspaceFolders.fire();
    assert.deepEqual(told, ['editor://open']);
  });

  it('a subscription made twice tells once, and ends at once when removed', () => {
    subscriptions.add(required('editor://open'));
    subscriptions.add(required('editor://open'));
    editor.didChangeOpenEditors.fire();
    editor.didChangeOpenEditors.fire();
    subscriptions.remove('editor://open');
    clock.advance(1_000);
    editor.didChangeOpenEditors.fire();
    assert.deepEqual([told, clock.pending], [['editor://open'], 0]);
  });
});

describe('ListChanges', () => {
  it('a burst of changes of one list is told at once and then once more, and disturbs no other list', () => {
    const clock = new FakeClock();
    const changed = new Emitter<CatalogPart>();
    const told: string[] = [];
    const lists = new ListChanges(changed.event, clock, 100, (part) => told.push(part));
    for (let change = 0; change < 50; change += 1) {
      changed.fire('tools');
    }
    changed.fire('prompts');
    assert.deepEqual(told, ['tools', 'prompts']);
    clock.advance(1_000);
    assert.deepEqual(told, ['tools', 'prompts', 'tools']);
    lists.fireAll();
    assert.deepEqual(told.slice(3), ['tools', 'resources', 'prompts']);
    lists.dispose();
    changed.fire('tools');
    clock.advance(1_000);
    assert.equal(told.length, 6);
  });
});
