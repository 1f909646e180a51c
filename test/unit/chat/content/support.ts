import { Emitter } from '../../../../src/base/events.ts';
import { messageOf } from '../../../../src/base/errors.ts';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import type { SharedText } from '../../../../src/base/sharedStorage.ts';
import type { ChatContent, ContentReading } from '../../../../src/chat/content/hostPorts.ts';
import type { GivenContent } from '../../../../src/chat/conversation/messageAttachments.ts';
import type { ContentOffers, ContentWish } from '../../../../src/chat/models/contentOffers.ts';
import type { AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import { ConsentGate, type Ask } from '../../../../src/consent/consentGate.ts';
import { Ledger } from '../../../../src/consent/ledger.ts';
import { secretPlaces } from '../../../../src/secrets/redactSecrets.ts';

class MemoryText implements SharedText {
  #text: string | undefined;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  read(): Promise<string | undefined> {
    return Promise.resolve(this.#text);
  }
  modify(change: (current: string | undefined) => string): Promise<void> {
    this.#text = change(this.#text);
    return Promise.resolve();
  }
  setAside(): Promise<void> {
    return Promise.resolve();
  }
}

export const text = (value: string, name = 'demo://notes'): GivenContent => ({ kind: 'text', name, text: value });

export const notes: ContentWish = { kind: 'resource', serverId: 'workspace:demo', server: 'demo', uri: 'demo://notes', name: 'Notes' };
export const review: ContentWish = {
  kind: 'prompt',
  serverId: 'workspace:demo',
  server: 'demo',
  name: 'review',
  description: 'Reviews code.',
  arguments: { file: 'a.ts' },
};

/** The same prompt of the editor's own server. */
export const ownReview: ContentWish = { ...review, serverId: 'builtIn:editor', server: 'editor' };

/** A server whose answers are given, under the real gate, the real ledger and the real search for secrets. */
export class FakeContent implements ChatContent, Disposable {
  readonly records: AuditRecord[] = [];
  readonly ledger = new Ledger({ storage: new MemoryText(), workspace: 'here', now: () => new Date(0), log: silentLog });
  readonly gate: ConsentGate;
  readonly reads: ContentWish[] = [];
  offered: ContentOffers = { resources: [], templates: [], prompts: [] };
  given: readonly GivenContent[] = [];
  reading: (signal: AbortSignal, ask: Ask) => Promise<ContentReading> = () => Promise.resolve({ kind: 'given', content: this.given });
  identity = 'approved once';
  readonly secretsIn = secretPlaces;

  constructor() {
    const note = (record: AuditRecord): void => void this.records.push(record);
    this.gate = new ConsentGate(this.ledger, {
      demandWritable: () => undefined,
      note,
      write: async (record) => {
        await Promise.resolve();
        note(record);
      },
    });
  }

  offers(): Promise<ContentOffers> {
    return Promise.resolve(this.offered);
  }

  read(wish: ContentWish, signal: AbortSignal, ask: Ask): Promise<ContentReading> {
    this.reads.push(wish);
    return this.reading(signal, ask);
  }

  isEditor(serverId: string): boolean {
    return serverId === ownReview.serverId;
  }

  identityOf(): string {
    return this.identity;
  }

  explain(error: unknown): { sentence: string } {
    return { sentence: messageOf(error) };
  }

  dispose(): void {
    this.gate.dispose();
    this.ledger.dispose();
  }
}
