import type { MaskText } from './shownMessage.ts';
import type { TrafficPeer } from './trafficTap.ts';
import { withoutSecrets } from '../secrets/redactSecrets.ts';

/** Makes the masks for the texts of peers: they hide what looks like a secret, and the secrets that the server is known to have. */
export function trafficMask(secretsOf: (serverId: string) => readonly string[]): (peer: TrafficPeer) => MaskText {
  return ({ side, id }) => {
    const secrets = side === 'server' ? secretsOf(id) : [];
    return (text) => withoutSecrets(text, secrets);
  };
}
