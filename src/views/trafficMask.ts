import type { MaskText } from '../traffic/shownMessage.ts';
import type { TrafficPeer } from '../traffic/trafficTap.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** What is shown of a peer's texts: without what looks like a secret, and without those that its server is known to have. */
export function trafficMask(secretsOf: (serverId: string) => readonly string[]): (peer: TrafficPeer) => MaskText {
  return ({ side, id }) => {
    const secrets = side === 'server' ? secretsOf(id) : [];
    return (text) => withoutSecrets(text, secrets);
  };
}
