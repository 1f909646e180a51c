import type { TrafficDirection, TrafficPeer, TrafficTap } from '../../traffic/trafficTap.ts';
import type { Transport } from '../shared/sdk.ts';
import type { ServerLink } from '../shared/serverLink.ts';

/** Records the messages to and from a server for the traffic view. */
export interface ServerTraffic {
  readonly tap: TrafficTap;
  readonly peer: () => TrafficPeer;
}

type Note = (direction: TrafficDirection, message: unknown) => void;

/** Returns the same link, but records its messages while somebody watches the traffic. */
export function tapLink(link: ServerLink, traffic: ServerTraffic | undefined): ServerLink {
  if (traffic === undefined) {
    return link;
  }
  const { tap, peer } = traffic;
  const note: Note = (direction, message) => {
    if (tap.isOpen) {
      tap.note(peer(), direction, message);
    }
  };
  return {
    transport: tapTransport(link.transport, note),
    get end() {
      return link.end;
    },
    get lastWords() {
      return link.lastWords;
    },
    origin: link.origin,
    isDebugged: link.isDebugged,
    era: link.era,
  };
}

/**
 * Wraps a transport in a proxy, because the SDK looks at a transport's members to find out what it can do. The SDK also
 * replaces `onmessage` for a while, with a listener that passes nothing on; the proxy still sees those messages.
 */
function tapTransport(transport: Transport, note: Note): Transport {
  let receive: Transport['onmessage'];
  let send: Transport['send'] = (message, options) => {
    note('sent', message);
    return transport.send(message, options);
  };
  return new Proxy(transport, {
    get: (target, name) => {
      if (name === 'send') {
        return send;
      }
      if (name === 'onmessage') {
        return receive;
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
    set: (target, name, value: unknown) => {
      if (name === 'send') {
        send = value as Transport['send'];
        return true;
      }
      if (name === 'onmessage') {
        receive = value as Transport['onmessage'];
        target.onmessage = (message, extra) => {
          note('received', message);
          receive?.(message, extra);
        };
        return true;
      }
      return Reflect.set(target, name, value, target);
    },
  });
}
