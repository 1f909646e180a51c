import { Emitter } from '../../../../src/base/events.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Ask } from '../../../../src/consent/consentGate.ts';
import type { ConsentRequest } from '../../../../src/consent/consentModel.ts';
import { fingerprintOf } from '../../../../src/consent/fingerprint.ts';
import type { Role } from '../../../../src/contract/questions/rolesAndClaims.ts';
import { OfferedServers } from '../../../../src/host/offered/offeredServers.ts';
import { Offers, type OfferStorage } from '../../../../src/host/offered/offers.ts';
import { ContentReader } from '../../../../src/host/resources/contentReader.ts';
import { FakeApproval } from '../../server/support/fakePorts.ts';
import type { HttpPeer } from '../../server/support/httpPeer.ts';
import { type RunningServer, runServer } from '../../server/support/runningServer.ts';
import { createTestHost, type TestHost, type TestHostOptions } from '../support.ts';

export class MemoryOffers implements OfferStorage {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  names: readonly string[] = [];
  workspace: Readonly<Record<string, string>> = {};
  userNames = (): readonly string[] => this.names;
  inWorkspace = (): Readonly<Record<string, string>> => this.workspace;
  async setUserNames(names: readonly string[]): Promise<void> {
    this.names = names;
    this.#changed.fire();
  }
  async setInWorkspace(offered: Readonly<Record<string, string>>): Promise<void> {
    this.workspace = offered;
    this.#changed.fire();
  }
}

export interface GatewayBench {
  readonly host: TestHost;
  readonly storage: MemoryOffers;
  readonly offers: Offers;
  readonly offered: OfferedServers;
  readonly served: RunningServer;
  /** A client of its own credential that is let in. */
  client(token?: string): Promise<HttpPeer>;
  close(): Promise<void>;
}

type Served = NonNullable<Parameters<typeof runServer>[0]>;

/** A real host with a real scripted server that is offered, joined to a real listener; the person lets every client in as a runner. */
export async function createGateway(
  options: {
    readonly mode?: string;
    readonly role?: Role;
    readonly toolList?: 'search' | 'all';
    readonly host?: TestHostOptions;
    readonly served?: Served;
    /** The person, in the place of the host's own answers. */
    readonly ask?: Ask;
  } = {},
): Promise<GatewayBench> {
  const host = await createTestHost(options.host);
  await host.startScripted(options.mode);
  const storage = new MemoryOffers();
  const offers = new Offers(host.registry, storage);
  await offers.offer(host.server('scripted').id);
  const offered = new OfferedServers({
    registry: host.registry,
    caller: host.caller,
    reader: new ContentReader(host.registry, options.host?.audit),
    gate: host.gate,
    offers,
    ask: (...asked) => (options.ask ?? host.ask)(...asked),
    toolList: () => options.toolList ?? 'search',
  });
  const approval = new FakeApproval({ kind: 'allowed', role: options.role ?? 'runner' });
  const served = await runServer({ offered, approval, ...options.served });
  return {
    host,
    storage,
    offers,
    offered,
    served,
    client: async (token = served.otherToken()) => {
      const peer = served.peer(token);
      await peer.initialize();
      // The connect question comes with the first call.
      await peer.callTool('list_workspace_folders');
      return peer;
    },
    close: async () => {
      await served.close();
      offered.dispose();
      offers.dispose();
      await host.close();
    },
  };
}

export async function toolNames(peer: HttpPeer): Promise<readonly string[]> {
  const { json } = await peer.request('tools/list');
  return ((json.result as JsonObject).tools as unknown as readonly { name: string }[]).map(({ name }) => name);
}

export async function offeredNames(peer: HttpPeer): Promise<readonly string[]> {
  return (await toolNames(peer)).filter((name) => name.includes('__'));
}

export function resultText({ json }: { readonly json: JsonObject }): string {
  const { content } = json.result as unknown as { content: readonly { text?: string }[] };
  return content.map(({ text = '' }) => text).join('\n');
}

/** A fingerprint that no server has. */
export const otherFingerprint: ConsentRequest['fingerprint'] = fingerprintOf({ other: 'server' });
