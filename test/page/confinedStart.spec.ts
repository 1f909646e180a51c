import assert from 'node:assert/strict';
import * as path from 'node:path';
import type { Locator } from 'playwright-core';
import type { StartServerQuestion } from '../../src/contract/questions/serverQuestions.ts';
import { assertAccessible } from '../support/page/accessibility.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { sharedBrowser } from '../support/page/browser.ts';
import { pageThemes, wearTheme } from '../support/page/pageThemes.ts';
import { outFolder } from '../support/run/repository.mjs';
import { untilArmed } from '../ui/pages/questions.ts';

type Box = NonNullable<StartServerQuestion['box']>;

const confined: Box = {
  isPreselected: true,
  read: ['/home/somebody/projects/till', '/home/somebody/.nvm/versions/node/v22.14.0'],
  write: [],
  hosts: ['api.github.com'],
  notApplied: ['read: /home/somebody', 'network: *'],
  isFetched: true,
};

const questionWith = (box: Box): object => ({
  askId: 'a',
  detail: {
    kind: 'startServer',
    server: 'tickets',
    configuredIn: 'workspace settings',
    serverId: 'workspace:tickets',
    holdsIn: 'workspace',
    fields: [
      { name: 'command', value: 'npx', isDangerous: false },
      { name: 'args[0]', value: 'tickets-server', isDangerous: false },
    ],
    disclosures: [],
    box,
  },
  why: 'new',
  differences: [],
  choices: ['deny', 'allowSession', 'allow'],
});

describe('The question about a server that can run confined', function () {
  this.timeout(60_000);
  let bare: BarePage;
  const card = (): Locator => bare.page.getByRole('group', { name: /^Permission:/ });
  const choice = (): Locator => card().getByRole('checkbox', { name: 'Run confined' });
  const reach = (): Locator => card().getByLabel('How far it reaches');
  const answers = async (): Promise<readonly unknown[]> =>
    (await bare.sent()).filter(({ name }) => name === 'consent/answer').map(({ body }) => body);
  const ask = async (box: Box): Promise<void> => {
    await bare.post('consent/questions', { questions: [questionWith(box)] });
    await card().waitFor();
  };

  beforeEach(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent', { viewport: { width: 420, height: 1000 } });
  });
  afterEach(() => bare.close());

  it('shows how far it would reach, in every theme (release)', async () => {
    await ask(confined);
    assert.equal(await choice().isChecked(), true);
    assert.deepEqual(await reach().locator('.fact-value').allTextContents(), [
      '/home/somebody/projects/till',
      '/home/somebody/.nvm/versions/node/v22.14.0',
      'programs and libraries of the system',
      'a folder of its own',
      'api.github.com',
      'its packages are fetched, with a way to the registry alone',
    ]);
    await card().getByText('asks for more and does not get it: read: /home/somebody, network: *').waitFor();
    for (const theme of pageThemes) {
      await wearTheme(bare.page, theme);
      await bare.page.screenshot({ path: path.join(outFolder, 'looks', `question-confined-${theme}.png`) });
      assert.equal(await card().evaluate((each) => each.scrollWidth - each.clientWidth), 0, 'nothing stands out');
      await assertAccessible(card(), `confined in ${theme}`);
    }
  });

  it('says that VS Code’s own rules are not applied, confined or not', async () => {
    await ask({ ...confined, isOfEditor: true });
    await card().getByText('VS Code’s own rules for that are not applied here.').waitFor();
    await choice().uncheck();
    await card().getByText('It can read and change all your files').waitFor();
    await card().getByText('VS Code’s own rules for that are not applied here.').waitFor();
    await ask({ ...confined, isOfEditor: true, obstacle: { kind: 'missing', program: 'bubblewrap' } });
    await card().getByText('install bubblewrap with').waitFor();
    await card().getByText('VS Code’s own rules for that are not applied here.').waitFor();
  });

  it('carries the choice in its answer, and arms its answers anew when the choice changes', async () => {
    await ask(confined);
    await untilArmed(card(), 'Allow');
    await choice().uncheck();
    await card().getByText('It can read and change all your files').waitFor();
    assert.equal(await reach().count(), 0);
    await untilArmed(card(), 'Allow');
    await card().getByRole('button', { name: 'Allow', exact: true }).click();
    assert.deepEqual(await answers(), [{ askId: 'a', choice: 'allow', isConfined: false }]);
  });

  it('is not ticked for a server that the person configured, and says what is missing where it cannot be', async () => {
    await ask({ ...confined, isPreselected: false, notApplied: [], isFetched: false });
    assert.equal(await choice().isChecked(), false);
    await ask({ ...confined, isPreselected: false, obstacle: { kind: 'missing', program: 'bubblewrap socat' } });
    await card().getByText('install bubblewrap socat with the package manager of your system first').waitFor();
    assert.equal(await choice().count(), 0);
    await ask({ ...confined, isPreselected: false, obstacle: { kind: 'elsewhere', program: 'docker' } });
    await card().getByText('docker hands it to a service, which runs it outside of any box').waitFor();
    const said = 'bwrap: setting up uid map: Permission denied';
    await ask({ ...confined, isPreselected: false, obstacle: { kind: 'unreliable', probes: ['starts', 'reads'], said } });
    const words = 'cannot be relied on. Nothing could be run in it. A file was read that it must not read.';
    await card().getByText(`a box was tried on this machine, and ${words} ${said}`).waitFor();
    assert.equal(await choice().count(), 0);
    await untilArmed(card(), 'Allow');
    await card().getByRole('button', { name: 'Allow', exact: true }).click();
    assert.deepEqual(await answers(), [{ askId: 'a', choice: 'allow' }]);
  });
});
