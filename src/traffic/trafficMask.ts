import type { MaskText } from './shownMessage.ts';
import type { TrafficPeer } from './trafficTap.ts';
import { withoutSecrets } from '../secrets/redactSecrets.ts';

/** What is shown of a peer's texts: without what looks like a secret, and without those that its server is known to have. */
export function trafficMask(secretsOf: (serverId: string) => readonly string[]): (peer: TrafficPeer) => MaskText {
  return ({ side, id }) => {
    const secrets = side === 'server' ? secretsOf(id) : [];
    return (text) => withoutSecrets(text, secrets);
  };
}
