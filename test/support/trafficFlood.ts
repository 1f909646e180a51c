import { setImmediate as letOthersWork } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { TrafficLog } from '../../src/traffic/trafficLog.ts';
import type { TrafficPeer } from '../../src/traffic/trafficTap.ts';
import { TrafficFeed } from '../../src/views/traffic/trafficFeed.ts';
import { withoutSecrets } from '../../src/secrets/redactSecrets.ts';
import { nextTraffic, noTraffic, type TrafficState } from '../../src/webview/traffic/trafficState.ts';

const peer: TrafficPeer = { side: 'server', id: 's', name: 'files' };
const atOnce = 20;
const answer = 'word '.repeat(800);

/** The traffic as it is while its view is open, with what the page knows of it, but without a window. */
export class OpenTraffic {
  readonly log = new TrafficLog({
    clock: systemClock,
    mask: () => (text) => withoutSecrets(text, ['known-secret']),
    canRepeat: () => true,
  });
  /** How many rows each delivery had. */
  readonly deliveries: number[] = [];
  page: TrafficState = noTraffic;
  readonly feed = new TrafficFeed({
    log: this.log,
    clock: systemClock,
    whyNoScript: () => undefined,
    postRows: (body) => {
      this.deliveries.push(body.rows.length);
      this.page = nextTraffic(this.page, { name: 'traffic/rows', body });
    },
    postFound: ({ text, numbers }) => {
      this.page = nextTraffic(this.page, { name: 'traffic/found', body: { text, numbers: [...numbers] } });
    },
    postDetail: () => undefined,
    letOthersWork: () => letOthersWork(),
  });

  constructor() {
    this.log.setOpen(true);
    this.feed.start();
  }

  /** As fast as a server answers many calls at once. Resolves when the page knows the last one. */
  async flood(exchanges: number): Promise<void> {
    for (let id = 1; id <= exchanges; id += 1) {
      this.log.note(peer, 'sent', { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { id } } });
      this.receive({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: answer }] } });
      if (id % atOnce === 0) {
        await letOthersWork();
      }
    }
    while (!this.page.rows.has(exchanges)) {
      await letOthersWork();
    }
  }

  receive(message: unknown): void {
    this.log.note(peer, 'received', message);
  }

  dispose(): void {
    this.feed.dispose();
    this.log.dispose();
  }
}
