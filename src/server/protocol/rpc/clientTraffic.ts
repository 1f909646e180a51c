import type { TrafficPeer, TrafficTap } from '../../../traffic/trafficTap.ts';
import type { Viewer } from '../../seen/viewer.ts';
import type { Receipt, ReplySink } from './rpc.ts';

/** Records the messages of one client for the traffic view. The chat's link is recorded at its other end. */
export class ClientTraffic {
  readonly #tap: TrafficTap | undefined;
  readonly #id: string;
  readonly #viewer: () => Viewer;
  #count = 0;

  constructor(tap: TrafficTap | undefined, id: string, viewer: () => Viewer) {
    this.#tap = viewer().credential.kind === 'chat' ? undefined : tap;
    this.#id = id;
    this.#viewer = viewer;
  }

  /** Records a body and the answers to it, which `receive` sends. With `isShared`, others may use the same request ids at the same time. */
  pass<R extends Pick<Receipt, 'kind'>>(body: unknown, sink: ReplySink, receive: (sink: ReplySink) => R, isShared = false): R {
    const tap = this.#tap;
    if (tap?.isOpen !== true) {
      return receive(sink);
    }
    this.#count += 1;
    const channel = isShared ? String(this.#count) : '';
    const note = (text: string): void => tap.note(this.#peer(), 'sent', text, channel);
    tap.note(this.#peer(), 'received', body, channel);
    const receipt: R & { readonly text?: string } = receive(notedSink(sink, note));
    if (receipt.kind === 'invalid' && receipt.text !== undefined) {
      note(receipt.text);
    }
    return receipt;
  }

  /** Records a message that answers no request. */
  sent(text: string): void {
    if (this.#tap?.isOpen === true) {
      this.#tap.note(this.#peer(), 'sent', text);
    }
  }

  #peer(): TrafficPeer {
    const { credential, callsItself } = this.#viewer();
    const label = credential.kind === 'chat' ? undefined : credential.label;
    return { side: 'client', id: this.#id, name: callsItself === '' ? (label ?? '') : callsItself };
  }
}

function notedSink(sink: ReplySink, note: (text: string) => void): ReplySink {
  return {
    respond: (text, status) => {
      note(text);
      sink.respond(text, status);
    },
    notify: (text) => {
      note(text);
      sink.notify(text);
    },
    abandon: () => sink.abandon(),
  };
}
