import assert from 'node:assert/strict';
import { hasCode } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { ContentRead } from '../../../../src/host/resources/contentReader.ts';
import type { ServerSnapshot } from '../../../../src/host/shared/serverState.ts';
import type { CallOutcome } from '../../../../src/host/tools/toolCaller.ts';
import { TrafficLog, type TrafficRecord } from '../../../../src/traffic/trafficLog.ts';
import { sendAgain, type SendAgainPorts } from '../../../../src/views/traffic/repeatExchange.ts';

describe('Sending a request again', () => {
  const server = { id: 's', label: 'files' } as ServerSnapshot;
  let did: unknown[];
  let outcome: CallOutcome;
  let ports: SendAgainPorts;
  beforeEach(() => {
    did = [];
    outcome = { kind: 'result', result: { isError: false, content: [] } };
    ports = {
      registry: { servers: () => [server], requireTrust: () => undefined },
      reader: {
        read: async (read: ContentRead) => {
          const { kind, principal, serverId, recordedAs } = read;
          did.push([kind, principal, serverId, recordedAs, 'uri' in read ? read.uri : [read.name, read.arguments]]);
          return [];
        },
      },
      call: async ({ id }, tool, args) => {
        did.push([id, tool, args]);
        return outcome;
      },
      ask: () => Promise.reject(new Error('Nobody is asked here.')),
    };
  });
  const recordOf = (method: string, params: JsonObject, id = 's'): TrafficRecord => {
    const log = new TrafficLog({ clock: systemClock, mask: () => (text) => text.replace('hunter2', '•'), canRepeat: () => true });
    log.setOpen(true);
    log.note({ side: 'server', id, name: 'files' }, 'sent', { jsonrpc: '2.0', id: 1, method, params });
    const [record] = log.list();
    assert.ok(record !== undefined);
    return record;
  };

  it('makes the same call by hand, with what was masked on the page', async () => {
    await sendAgain(ports, recordOf('tools/call', { name: 'echo', arguments: { password: 'hunter2' }, _meta: { progressToken: 1 } }));
    assert.deepEqual(did, [['s', 'echo', { password: 'hunter2' }]]);
  });

  it('reads the same resource and gets the same prompt by hand, and records them without secrets', async () => {
    await sendAgain(ports, recordOf('resources/read', { uri: 'demo:hunter2' }));
    await sendAgain(ports, recordOf('prompts/get', { name: 'greet', arguments: { who: 'me', odd: 5 } }));
    assert.deepEqual(did, [
      ['resource', 'traffic', 's', 'demo:•', 'demo:hunter2'],
      ['prompt', 'traffic', 's', 'greet', ['greet', { who: 'me' }]],
    ]);
  });

  it('is refused for a server that is gone, and before anything else without trust', async () => {
    await assert.rejects(sendAgain(ports, recordOf('tools/call', { name: 'echo' }, 'other')), (error) =>
      hasCode(error, 'runTool.unknownServer'),
    );
    const untrusted = { ...ports.registry, requireTrust: () => assert.fail('no trust') };
    await assert.rejects(sendAgain({ ...ports, registry: untrusted }, recordOf('tools/call', { name: 'echo' })), /no trust/);
    assert.deepEqual(did, []);
  });

  it('says nothing to a person who said no, and tells every other failure', async () => {
    const record = recordOf('tools/call', { name: 'echo' });
    outcome = { kind: 'denied', by: 'person' };
    await sendAgain(ports, record);
    outcome = { kind: 'denied', by: 'ledger' };
    await assert.rejects(sendAgain(ports, record), (error) => hasCode(error, 'runTool.deniedBefore'));
  });
});
