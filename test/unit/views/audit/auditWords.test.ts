import assert from 'node:assert/strict';
import { chain, type AuditLine } from '../../../../src/consent/audit/auditLine.ts';
import { namesByClient, matchesFilter, readAudit, type ReadLine } from '../../../../src/consent/audit/auditReading.ts';
import type { AuditFilter } from '../../../../src/contract/pages/auditMessages.ts';
import { auditWords } from '../../../../src/views/audit/auditWords.ts';

const now = Date.parse('2026-03-02T12:30:00.000Z');
const filled = (text: string, ...values: readonly unknown[]): string =>
  text.replace(/\{(\d)\}/g, (_all, at: string) => String(values[Number(at)]));

async function linesOf(
  ...said: readonly (readonly [principal: string, action: string, peer: string, subject: string])[]
): Promise<readonly ReadLine[]> {
  const rest = { credential: '', argumentsHash: '', decidedBy: 'person', outcome: 'succeeded', durationMs: 1 } as const;
  const time = new Date(now).toISOString();
  const lines = said.map(([principal, action, peer, subject]): Omit<AuditLine, 'previous'> => ({
    ...rest,
    argumentNames: [],
    time,
    principal,
    action,
    peer,
    subject,
  }));
  const parts = [{ name: 'audit.jsonl', lines: chain(lines, undefined) }];
  return (await readAudit({ parts, seal: undefined, hasAll: true }, 'key', () => Promise.resolve())).lines.toReversed();
}

describe('A line of the audit log in words', () => {
  it('is found by client and server together: by the name that the client gave itself, or by its credential', async () => {
    const lines = await linesOf(
      ['client:client-1', 'connectClient', 'Claude Code 2.1', ''],
      ['client:client-2', 'connectClient', 'Cursor', ''],
      ['client:client-1', 'callTool', 'parcels', 'send'],
      ['client:client-2', 'callTool', 'parcels', 'send'],
      ['client:client-1', 'readResource', 'letters', 'letter://1'],
      ['client:client-2', 'getPrompt', 'letters', 'greet'],
      ['client:client-1', 'callTool', 'Claude Code 2.1', 'parcels__refused'],
      ['chat', 'callTool', 'parcels', 'send'],
    );
    const clients = namesByClient(lines);
    const found = (who: string, server: string): readonly number[] => {
      const filter: AuditFilter = { who, server, what: '', outcome: '', hours: 0 };
      return lines.flatMap((line, index) => (matchesFilter(line, auditWords(line, filled, clients), filter, now) ? [index] : []));
    };
    assert.deepEqual([found('claude', 'parcels'), found('claude', 'letters'), found('claude', '')], [[2, 6], [4], [0, 2, 4, 6]]);
    assert.deepEqual([found('CURSOR', 'parcels'), found('cursor', 'Letters')], [[3], [5]]);
    assert.deepEqual([found('client-1', 'parcels'), found('chat', 'parcels')], [[2, 6], [7]]);
    assert.deepEqual([found('', 'parcels'), found('claude', 'nobody'), found('nobody', 'parcels')], [[2, 3, 6, 7], [], []]);
  });

  it('tells the client’s own names as such, each once and few of them, and hides nothing in them', async () => {
    const lines = await linesOf(
      ...['One', 'One', 'Tw\u200Bo', 'Three', 'Four'].map((name) => ['client:window', 'connectClient', name, ''] as const),
      ['client:window', 'callTool', 'parcels', 'send'],
    );
    const words = lines.map((line) => auditWords(line, filled, namesByClient(lines)).who);
    assert.equal(words.at(-1), 'Client window (“One”, “Tw⟨U+200B⟩o”, “Three”)');
    assert.equal(words[0], 'Client window', 'the line has its name already');
  });
});
