import type { TrafficDirection, TrafficPeer, TrafficTap } from '../../traffic/trafficTap.ts';
import type { Transport } from '../shared/sdk.ts';
import type { ServerLink } from '../shared/serverLink.ts';

/** Where what is said to a server and by it can be looked at. */
export interface ServerTraffic {
  readonly tap: TrafficTap;
  readonly peer: () => TrafficPeer;
}

type Note = (direction: TrafficDirection, message: unknown) => void;

/** The same link; what passes over it is noted while somebody looks. */
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
 * A proxy, since the SDK asks transports what they can by looking for members, and since it takes `onmessage` over for a
 * while: its own listener for the first question hands nothing on.
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
