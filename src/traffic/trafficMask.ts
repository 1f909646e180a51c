import type { MaskText } from './shownMessage.ts';
import type { TrafficPeer } from './trafficTap.ts';
import { withoutSecrets } from '../secrets/redactSecrets.ts';

/**
 * Makes the masks for the texts of peers: they hide what looks like a secret, and the secrets that the server is known to have. A
 * message is masked when somebody looks at it, so those count that were known when it passed, and those that are known by then.
 */
export function trafficMask(secretsOf: (serverId: string) => readonly string[]): (peer: TrafficPeer) => MaskText {
  return ({ side, id }) => {
    if (side === 'client') {
      return (text) => withoutSecrets(text, []);
    }
    const before = secretsOf(id);
    return (text) => withoutSecrets(text, [...new Set([...before, ...secretsOf(id)])]);
  };
}
