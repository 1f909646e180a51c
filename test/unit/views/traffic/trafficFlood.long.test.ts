import assert from 'node:assert/strict';
import { OpenTraffic } from '../../../support/trafficFlood.ts';

/** More than are kept, and more text. */
const exchanges = 12_000;
const max = { records: 10_000, characters: 24 * 1024 * 1024, rowsAtOnce: 1_000 };

describe('The traffic view while more than ten thousand messages pass', () => {
  let view: OpenTraffic;
  beforeEach(() => {
    view = new OpenTraffic();
  });
  afterEach(() => view.dispose());

  it('keeps a bounded part of them, here and in the page, and tells of it in bounded parts', async () => {
    await view.feed.find('echo');
    await view.flood(exchanges);
    const { log, page, deliveries } = view;
    const characters = log.list().reduce((sum, each) => sum + each.message.text.length + (each.answer?.message.text.length ?? 0), 0);
    assert.ok(characters <= max.characters, `${characters} characters are kept`);
    assert.ok(log.size <= max.records && log.size > 1_000, `${log.size} records are kept`);
    assert.ok(page.rows.size <= max.records, `the page has ${page.rows.size} rows`);
    assert.ok(page.found.numbers.size <= max.records, `the page has ${page.found.numbers.size} numbers`);
    assert.ok(Math.max(...deliveries) <= max.rowsAtOnce, `${Math.max(...deliveries)} rows came at once`);
    assert.equal(log.size + log.dropped, exchanges);
  }).timeout(60_000);
});
