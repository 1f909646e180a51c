import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Emitter } from '../../../../../src/base/events.ts';
import { defaultServerTimings } from '../../../../../src/server/access/limits.ts';
import { ListChanges, Subscriptions } from '../../../../../src/server/protocol/clients/changeNotices.ts';
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

  it('one URI is told of at most four times a second by default, and always of its last state', () => {
    const inUse = new Subscriptions(clock, defaultServerTimings.updateInterval, (uri) => told.push(uri));
    inUse.add(required('editor://open'));
    for (let change = 0; change < 99; change += 1) {
      editor.didChangeOpenEditors.fire();
      clock.advance(10);
    }
    assert.equal(told.length, 4);
    clock.advance(defaultServerTimings.updateInterval);
    assert.equal(told.length, 5, 'of the last change');
    clock.advance(1_000);
    assert.equal(told.length, 5);
    inUse.dispose();
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

describe('Many clients that subscribed to the same', () => {
  it('are told in portions, others have their turns in between, and whoever left meanwhile is told nothing', async () => {
    const changed = new Emitter<void>();
    const told: number[] = [];
    const resource = { uri: 'a://b', changes: changed.event } as unknown as Resource;
    const all = Array.from({ length: 200 }, (_, index) => {
      const subscriptions = new Subscriptions(new FakeClock(), 100, () => told.push(index));
      subscriptions.add(resource);
      return subscriptions;
    });
    await turn();
    changed.fire();
    assert.deepEqual(
      told,
      Array.from({ length: 25 }, (_, index) => index),
    );
    all[199]?.dispose();
    while (told.length < 199) {
      await turn();
    }
    await turn();
    await turn();
    assert.deepEqual(told, Array.from(all.keys()).slice(0, 199));
    all.forEach((subscriptions) => subscriptions.dispose());
  });
});

describe('ListChanges', () => {
  let clock: FakeClock;
  let changed: Emitter<CatalogPart>;
  let states: Record<CatalogPart, string>;
  let told: string[];
  let lists: ListChanges;
  beforeEach(() => {
    clock = new FakeClock();
    changed = new Emitter<CatalogPart>();
    states = { tools: 'a', resources: 'a', prompts: 'a' };
    told = [];
    lists = new ListChanges({
      changes: changed.event,
      stateOf: (part) => states[part],
      clock,
      interval: 100,
      tell: (part) => told.push(part),
    });
  });
  afterEach(() => lists.dispose());

  it('a burst of changes of one list is told at once and then once more, and disturbs no other list', () => {
    for (let change = 0; change < 50; change += 1) {
      changed.fire('tools');
    }
    changed.fire('prompts');
    assert.deepEqual(told, ['tools', 'prompts']);
    clock.advance(1_000);
    assert.deepEqual(told, ['tools', 'prompts', 'tools']);
    lists.dispose();
    changed.fire('tools');
    clock.advance(1_000);
    assert.equal(told.length, 3);
  });

  it('other rights are told only for the lists that are others by them', () => {
    lists.reconsider();
    clock.advance(1_000);
    assert.deepEqual(told, []);
    states.tools = 'b';
    lists.reconsider();
    lists.reconsider();
    clock.advance(1_000);
    assert.deepEqual(told, ['tools']);
  });

  it('a list that changes and changes back within the interval is told each time somebody may have read the other one', () => {
    states.tools = 'b';
    lists.reconsider();
    states.tools = 'c';
    lists.reconsider();
    states.tools = 'b';
    lists.reconsider();
    clock.advance(1_000);
    assert.deepEqual(told, ['tools', 'tools']);
  });

  it('tools that come or go take with them the resources that depend on them', () => {
    states = { tools: 'b', resources: 'b', prompts: 'a' };
    changed.fire('tools');
    clock.advance(1_000);
    assert.deepEqual(told, ['tools', 'resources']);
  });

  it('a change that the catalog told of is not told again with the next change of rights', () => {
    states.resources = 'b';
    changed.fire('resources');
    clock.advance(1_000);
    lists.reconsider();
    clock.advance(1_000);
    assert.deepEqual(told, ['resources']);
  });
});
