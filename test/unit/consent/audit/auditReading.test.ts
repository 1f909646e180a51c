import assert from 'node:assert/strict';
import { chain, sealOf, type AuditLine } from '../../../../src/consent/audit/auditLine.ts';
import { barsOf, matchesFilter, readAudit, type ReadAudit } from '../../../../src/consent/audit/auditReading.ts';
import type { AuditFilter } from '../../../../src/contract/pages/auditMessages.ts';

const now = Date.parse('2026-03-02T12:30:00.000Z');
const minute = 60_000;

function line(minutesAgo: number, changes: Partial<AuditLine> = {}): Omit<AuditLine, 'previous'> {
  return {
    time: new Date(now - minutesAgo * minute).toISOString(),
    principal: 'chat',
    credential: '',
    peer: 'demo',
    action: 'callTool',
    subject: 'roll_dice',
    argumentNames: [],
    argumentsHash: '',
    decidedBy: 'person',
    outcome: 'succeeded',
    durationMs: 1,
    ...changes,
  };
}

async function read(lines: readonly Omit<AuditLine, 'previous'>[], split = lines.length): Promise<ReadAudit> {
  const texts = chain(lines, undefined);
  const parts = [
    { name: 'audit.1.jsonl', lines: texts.slice(0, split) },
    { name: 'audit.jsonl', lines: texts.slice(split) },
  ];
  return readAudit({ parts, seal: sealOf(texts.at(-1) ?? '', 'key'), hasAll: true }, 'key', () => Promise.resolve());
}

describe('The record as the page reads it', () => {
  it('goes over all parts as one chain, the latest line first, each with its place', async () => {
    const { lines, total, verdict } = await read([line(3, { subject: 'a' }), line(2, { subject: 'b' }), line(1, { subject: 'c' })], 2);
    assert.deepEqual(
      lines.map(({ place, subject }) => `${place} ${subject}`),
      ['audit.jsonl:1 c', 'audit.1.jsonl:2 b', 'audit.1.jsonl:1 a'],
    );
    assert.deepEqual([total, verdict], [3, { kind: 'holds', count: 3 }]);
  });

  it('finds what is typed in names and words, by outcome and by time', async () => {
    const { lines } = await read([line(90, { subject: 'old' }), line(5, { peer: 'Other' }), line(1, { outcome: 'denied' })]);
    const words = { who: 'Chat', what: 'Call something' };
    const found = (filter: Partial<AuditFilter>): string[] => {
      const whole: AuditFilter = { who: '', server: '', what: '', outcome: '', hours: 0, ...filter };
      return lines.filter((each) => matchesFilter(each, words, whole, now)).map(({ place }) => place.split(':')[1] ?? '');
    };
    assert.deepEqual(found({}), ['3', '2', '1']);
    assert.deepEqual(found({ who: ' other ' }), ['2']);
    assert.deepEqual(found({ what: 'OLD' }), ['1']);
    assert.deepEqual(found({ what: 'something' }), ['3', '2', '1']);
    assert.deepEqual(found({ outcome: 'denied' }), ['3']);
    assert.deepEqual(found({ hours: 1 }), ['3', '2']);
  });

  it('finds the calls of one client at one server, and what was refused to it before the server was asked', async () => {
    const { lines } = await read([
      line(5, { principal: 'client:client-1', peer: 'parcels' }),
      line(4, { principal: 'client:client-2', peer: 'parcels' }),
      line(3, { principal: 'client:client-1', peer: 'letters' }),
      line(2, { principal: 'client:client-1', peer: 'Some agent', subject: 'parcels__send', outcome: 'denied' }),
    ]);
    const filter: AuditFilter = { who: 'client-1', server: 'Parcels', what: '', outcome: '', hours: 0 };
    assert.deepEqual(
      lines.filter((each) => matchesFilter(each, { who: '', what: '' }, filter, now)).map(({ place }) => place.split(':')[1]),
      ['4', '1'],
    );
  });

  it('counts the calls of the last day by hour and by who made them, the many small ones together', async () => {
    const many = ['chat', 'chat', 'chat', 'a', 'a', 'b', 'c', 'd'].map((principal, index) => line(100 - index, { principal }));
    const { lines } = await read([line(2_000), ...many, line(1, { outcome: 'allowed' }), line(0)]);
    const { hours, names } = barsOf(lines, ({ principal }) => principal, 'others', now);
    assert.deepEqual([names.length, names[0], names[1], names[3], hours.length], [4, 'chat', 'a', 'others', 24]);
    assert.equal(hours.at(-1)?.start, '2026-03-02T12:00:00.000Z');
    assert.equal(
      hours.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0),
      9,
    );
    assert.deepEqual(hours.at(-1)?.counts, [1, 0, 0, 0]);
  });
});
