import assert from 'node:assert/strict';
import { sharedBrowser } from '../support/page/browser.ts';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';

const field = { name: 'name', label: 'Name', description: '', isRequired: true, isNullable: false, type: 'text', format: 'plain' };

function asking(askId: string): object {
  const detail = { kind: 'elicitation', server: 'demo', message: `Who is ${askId}?`, request: { mode: 'form', fields: [field] } };
  return { askId, detail, why: 'new', differences: [], choices: ['deny', 'cancel', 'allowOnce'] };
}

describe('The page of open questions', function () {
  this.timeout(60_000);
  let bare: BarePage;

  before(async () => {
    bare = await openBarePage(await sharedBrowser(), 'consent');
  });
  after(() => bare.close());

  it('labels each field by itself, however many questions have come and gone', async () => {
    for (const ids of [[], ['a'], ['a', 'b'], ['a'], ['a', 'c'], ['a'], ['a', 'd']]) {
      await bare.post('consent/questions', { questions: ids.map(asking) });
      await bare.page.waitForFunction((count) => document.querySelectorAll('.question').length === count, ids.length);
    }
    for (const id of ['a', 'd']) {
      const question = bare.page.getByRole('group', { name: /^Permission:/ }).filter({ hasText: `Who is ${id}?` });
      await question.getByRole('textbox', { name: 'Name' }).fill(id);
    }
    const typed = await bare.page.getByRole('textbox').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
    assert.deepEqual(typed, ['a', 'd']);
  });
});
