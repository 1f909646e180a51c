import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { RegistryCard, RegistryPageState } from '../../src/contract/pages/registryMessages.ts';
import { installFields } from '../../src/registry/installForm.ts';
import { waysOf } from '../../src/registry/installWays.ts';
import { readEntry } from '../../src/registry/serverJson.ts';
import { knownServers } from '../fixtures/registry/entries.ts';
import { assertAccessible } from '../support/page/accessibility.ts';
import { type BarePage, openBarePage } from '../support/page/barePage.ts';
import { brokenWords } from '../support/page/brokenWords.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { pageThemes, wearTheme } from '../support/page/pageThemes.ts';
import { outFolder } from '../support/run/repository.mjs';

function card(name: string, more: Partial<RegistryCard> = {}): RegistryCard {
  return {
    name,
    title: name,
    description: 'Reads and writes notes.',
    version: '1.2.0',
    updated: '2026-01-01T12:00:00.000Z',
    repository: 'https://github.com/example/notes',
    website: '',
    isDeprecated: false,
    ways: [{ id: 'package:0', kind: 'npm', shown: '@example/notes@1.2.0' }],
    unreadable: 0,
    installed: [],
    ...more,
  };
}

const installedCard = card('io.example/old', {
  title: 'Old notes',
  isDeprecated: true,
  installed: [{ id: 'user/old', label: 'old', version: '1.0.0', newer: '1.2.0' }],
});
const bundle = card('io.example/bundle', {
  title: 'Bundled notes',
  ways: [{ id: 'package:0', kind: 'mcpb', shown: 'https://notes.example/n.mcpb' }],
});
const refused = card('io.example/crate', {
  title: 'Crate of notes',
  ways: [{ id: 'package:0', kind: 'cargo', shown: 'notes@1.0.0', problem: 'Packages of the kind “cargo” cannot be installed.' }],
});
const cards = [card('io.example/notes', { title: 'Notes' }), installedCard, bundle, refused];

function state(more: Partial<RegistryPageState> = {}): RegistryPageState {
  return { host: 'registry.example', search: '', state: { kind: 'listed' }, cards, hasMore: true, ...more };
}

/** The form of the server with a secret, as the extension would make it. */
function formOfEverything(): NonNullable<RegistryPageState['install']> {
  const entry = readEntry(knownServers[0]);
  const [way] = entry === undefined ? [] : waysOf(entry);
  assert.ok(way !== undefined);
  const fields = installFields(way).map((field) => ({ ...field }));
  const missing = 'npx was not found here.';
  return {
    name: 'io.example/all',
    title: 'Everything',
    suggestedName: 'all',
    ways: [{ id: way.id, kind: 'npm', shown: way.shown, missing, fields }],
  };
}

describe('The page of the registry', () => {
  const open = async (width = 720): Promise<BarePage> =>
    openBarePage(await sharedBrowser(), 'registry', { viewport: { width, height: 800 } });

  for (const theme of pageThemes) {
    it(`shows the servers, what can be done with each, and its form, in the theme ${theme}${theme === 'light' ? '' : ' (release)'}`, async () => {
      const bare = await open();
      await wearTheme(bare.page, theme);
      await bare.page.evaluate(() =>
        document.documentElement.style.setProperty('--vscode-editor-background', 'var(--vscode-sideBar-background)'),
      );
      await bare.post('registry/page', state());
      const list = bare.page.getByRole('list', { name: 'Servers', exact: true });
      await list.getByRole('heading', { name: 'Bundled notes' }).waitFor();
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `registry-${theme}.png`) });
      await assertAccessible(bare.page.locator('body'), 'the list of servers');
      const buttons = await list
        .getByRole('button')
        .evaluateAll((all) => all.map((each) => [each.ariaLabel ?? each.textContent, each.getAttribute('aria-description') ?? '']));
      assert.deepEqual(buttons, [
        ['Install', 'Install Notes'],
        ['Repository of Notes', ''],
        ['Update', 'Update “old” to version 1.2.0'],
        ['Install', 'Install Old notes'],
        ['Repository of Old notes', ''],
        ['Install', 'Install Bundled notes'],
        ['Repository of Bundled notes', ''],
        ['Repository of Crate of notes', ''],
      ]);
      await list.getByText('Packages of the kind “cargo” cannot be installed.').waitFor();
      await bare.post('registry/page', state({ install: formOfEverything() }));
      await bare.page.getByText('npx was not found here.').waitFor();
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `registry-form-${theme}.png`) });
      await assertAccessible(bare.page.locator('body'), 'the form');
      await bare.close();
    });
  }

  it('searches when asked, and goes on to more, and opens pages through the extension', async () => {
    const bare = await open();
    await bare.post('registry/page', state());
    const search = bare.page.getByRole('searchbox', { name: 'Search servers', exact: true });
    await search.fill('memory');
    await search.press('Enter');
    assert.deepEqual(await bare.nextSent('registry/search'), { text: 'memory' });
    await bare.page.getByRole('button', { name: 'Load more', exact: true }).click();
    await bare.nextSent('registry/more');
    await bare.page.getByRole('button', { name: 'Repository of Notes' }).click();
    assert.deepEqual(await bare.nextSent('registry/open'), { name: 'io.example/notes', page: 'repository' });
    await bare.page.getByRole('button', { name: 'Update', exact: true }).click();
    assert.deepEqual(await bare.nextSent('registry/update'), { name: 'io.example/old', server: 'user/old' });
    await bare.close();
  });

  it('hides a secret, sends the form for a review, shows what will be written, and forgets that when the form changes', async () => {
    const bare = await open();
    const install = formOfEverything();
    await bare.post('registry/page', state({ install }));
    const secret = bare.page.getByLabel('EVERYTHING_TOKEN');
    assert.equal(await secret.getAttribute('type'), 'password');
    await secret.fill('hush');
    await bare.page.getByRole('button', { name: 'Review' }).click();
    assert.deepEqual(await bare.nextSent('registry/review'), {
      way: 'package:0',
      name: 'all',
      values: { 'variable:0': 'hush', 'variable:1': 'north' },
    });
    const lines = [
      { label: 'env.EVERYTHING_TOKEN_OF_THE_COMPANY', value: '${input:all-EVERYTHING_TOKEN}' },
      { label: 'Command', value: 'npx -y @modelcontextprotocol/server-everything@2026.8.31 stdio' },
    ];
    await bare.post('registry/page', state({ install: { ...install, review: { lines, places: ['user', 'workspace'] } } }));
    await bare.page
      .getByRole('region', { name: 'What will be written' })
      .getByText(lines[1]?.value ?? '')
      .waitFor();
    await assertAccessible(bare.page.locator('body'), 'the review');
    assert.deepEqual(await brokenWords(bare.page, 'dt'), []);
    await bare.page.screenshot({ path: path.join(outFolder, 'looks', 'registry-review.png') });
    await bare.page.getByRole('button', { name: 'Save to Workspace Settings' }).click();
    assert.deepEqual(await bare.nextSent('registry/install'), { place: 'workspace' });
    const edits = (await bare.sent()).filter(({ name }) => name === 'registry/edit').length;
    await bare.page.getByLabel('Name in the settings').fill('other');
    assert.equal((await bare.sent()).filter(({ name }) => name === 'registry/edit').length, edits + 1);
    await bare.close();
  });

  it('asks before a bundle is downloaded, says how far it is and why it was refused, and then has its form', async () => {
    const bare = await open(300);
    const sha256 = '0123456789abcdef'.repeat(4);
    const question = { host: 'notes.example', publisher: 'io.example/bundle', sha256, maxMegabytes: 256 };
    const way = { id: 'package:0', kind: 'mcpb', shown: 'https://notes.example/n.mcpb', fields: [] };
    const install = { name: 'io.example/bundle', title: 'Bundled notes', suggestedName: 'bundle' };
    const show = (more: object): Promise<void> =>
      bare.post('registry/page', state({ install: { ...install, ways: [{ ...way, ...more }] } }));
    await show({ download: question });
    const asked = bare.page.getByRole('region', { name: 'Download this bundle?' });
    for (const text of ['io.example/bundle', 'notes.example', way.shown, 'more than 256 MB is refused', sha256]) {
      await asked.getByText(text, { exact: text === 'notes.example' }).waitFor();
    }
    assert.equal(await bare.page.getByLabel('Name in the settings').count(), 0);
    await assertAccessible(bare.page.locator('body'), 'the question about a bundle');
    await bare.page.screenshot({ path: path.join(outFolder, 'looks', 'registry-bundle-300.png') });
    assert.equal((await bare.sent()).filter(({ name }) => name === 'registry/download').length, 0);
    await asked.getByRole('button', { name: 'Download' }).click();
    assert.deepEqual(await bare.nextSent('registry/download'), { way: 'package:0' });
    await show({ download: { ...question, progress: { received: 1024 * 1024, total: 3 * 1024 * 1024 } } });
    await asked.getByText('Downloading… 1.0 of 3.0 MB').waitFor();
    await asked.getByRole('button', { name: 'Stop' }).click();
    await bare.nextSent('registry/stopDownload');
    await show({ download: { ...question, problem: 'What came is not the bundle that the entry names.' } });
    await asked.getByText('What came is not the bundle').waitFor();
    await show({ fetched: { what: 'Notes 1.0.0, Somebody', bytes: 3.25 * 1024 * 1024, files: 1200 } });
    await bare.page.getByText('Notes 1.0.0, Somebody: downloaded 3.3 MB with the SHA-256 that the entry names, 1,200 files.').waitFor();
    await bare.page.getByLabel('Name in the settings').waitFor();
    await bare.close();
  });

  it('says that the registry is off or gave no answer, and offers Retry', async () => {
    const bare = await open(300);
    await bare.post(
      'registry/page',
      state({ cards: [], hasMore: false, state: { kind: 'failed', text: 'The registry at x cannot be reached.' } }),
    );
    await bare.page.getByText('cannot be reached').waitFor();
    await assertAccessible(bare.page.locator('body'), 'the failure');
    await bare.page.getByRole('button', { name: 'Retry' }).click();
    await bare.nextSent('registry/refresh');
    await bare.post('registry/page', state({ cards: [], hasMore: false, state: { kind: 'off' } }));
    await bare.page.getByText('duplex.registry.url is empty').waitFor();
    await bare.page.getByRole('button', { name: 'Open Setting' }).click();
    await bare.nextSent('registry/settings');
    await bare.close();
  });

  it('shows what an update would change before it is made', async () => {
    const bare = await open();
    const update = {
      title: 'Notes',
      server: 'notes',
      location: 'user settings',
      changes: [{ field: 'Command', before: 'npx -y notes@1.0.0', after: 'npx -y notes@1.2.0' }],
    };
    await bare.post('registry/page', state({ update }));
    await bare.page.locator('del').first().waitFor();
    await assertAccessible(bare.page.locator('body'), 'the update');
    await bare.page.getByRole('button', { name: 'Update', exact: true }).click();
    await bare.nextSent('registry/applyUpdate');
    await bare.close();
  });

  it('asks before a bundle is downloaded for an update, and shows no difference that is not known yet', async () => {
    const bare = await open();
    const question = { host: 'notes.example', publisher: 'io.example/bundle', sha256: 'c'.repeat(64), maxMegabytes: 256 };
    const bundled = { id: 'package:0', kind: 'mcpb', shown: 'https://notes.example/n.mcpb', download: question };
    const update = { title: 'Notes', server: 'notes', location: 'user settings', changes: [], bundle: bundled };
    await bare.post('registry/page', state({ update }));
    await bare.page.getByText('c'.repeat(64)).waitFor();
    await assertAccessible(bare.page.locator('body'), 'the question about the update');
    assert.equal(await bare.page.getByRole('button', { name: 'Update', exact: true }).count(), 0);
    await bare.page.getByRole('button', { name: 'Download' }).click();
    assert.deepEqual(await bare.nextSent('registry/download'), { way: 'package:0' });
    await bare.page.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(await bare.nextSent('registry/refuseDownload'), { way: 'package:0' });
    await bare.post('registry/page', state({ update: { ...update, bundle: undefined, problem: 'It is started in another way.' } }));
    await bare.page.getByText('It is started in another way.').waitFor();
    assert.deepEqual(await bare.page.getByRole('button').allTextContents(), ['Cancel']);
    await bare.close();
  });

  for (const width of [300, 420, 720]) {
    it(`breaks no word at ${width} px`, async () => {
      const bare = await open(width);
      await wearTheme(bare.page, 'light');
      await bare.post('registry/page', state());
      await bare.page.getByRole('heading', { name: 'Bundled notes' }).waitFor();
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `registry-${width}.png`) });
      assert.deepEqual(await brokenWords(bare.page, 'body'), []);
      await bare.close();
    });
  }

  it('draws a thousand entries with hostile texts as text, and runs nothing of them (release)', async () => {
    const bare = await open();
    const hostile = '<img src=x onerror=alert(1)>[x](command:y) ⟨U+202E⟩';
    const many = Array.from({ length: 1_000 }, (_, index) =>
      card(`io.example/n${index}`, { title: `${hostile} ${index}`, description: hostile }),
    );
    await bare.post('registry/page', state({ cards: many }));
    await bare.page.getByRole('heading', { name: `${hostile} 999` }).waitFor({ state: 'attached' });
    assert.equal(await bare.page.locator('img').count(), 0);
    assert.deepEqual(bare.complaints, []);
    await bare.close();
  });
});
