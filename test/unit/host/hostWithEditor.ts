import { asksItself, onlyLooking, toolRisk } from '../../../src/server/offer/tools/toolRisk.ts';
import { Person } from '../server/support/person.ts';
import { runServer, type RunningServer } from '../server/support/runningServer.ts';
import { createTestHost, type TestHost } from './support.ts';

/** A host with the editor as a server of its own, and the person whom that asks. */
export interface HostWithEditor {
  readonly person: Person;
  readonly running: RunningServer;
  readonly host: TestHost;
  readonly serverId: string;
  readonly close: () => Promise<void>;
}

/** The chat's own way: the real caller, the real link in memory and the real server; only the editor behind it is a stand-in. */
export async function hostWithEditor(): Promise<HostWithEditor> {
  const person = new Person();
  const running = await runServer({ person: person.approval });
  const host = await createTestHost();
  const serverId = host.registry.addBuiltIn({
    name: 'editor',
    openTransport: () => Promise.resolve(running.server.connectInMemory()),
    riskOf: toolRisk,
    ownQuestions: { calls: person.ownCalls, asksItself, onlyLooking },
  });
  await host.registry.startApproved();
  const close = async (): Promise<void> => {
    await host.close();
    await running.close();
    person.dispose();
  };
  return { person, running, host, serverId, close };
}
