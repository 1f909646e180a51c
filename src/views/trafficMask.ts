import { secretValuesOf } from '../definitions/secretValues.ts';
import type { ServerDefinition } from '../definitions/serverDefinition.ts';
import type { MaskText } from '../traffic/shownMessage.ts';
import type { TrafficPeer } from '../traffic/trafficTap.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** What is shown of a peer's texts: without what looks like a secret, and without those that its definition gives it. */
export function trafficMask(
  definitionOf: (serverId: string) => ServerDefinition | undefined,
  env: Readonly<Record<string, string | undefined>>,
): (peer: TrafficPeer) => MaskText {
  const known = new WeakMap<ServerDefinition, readonly string[]>();
  const secretsOf = (definition: ServerDefinition): readonly string[] => {
    const secrets = known.get(definition) ?? secretValuesOf(definition, env);
    known.set(definition, secrets);
    return secrets;
  };
  return ({ side, id }) => {
    const definition = side === 'server' ? definitionOf(id) : undefined;
    const secrets = definition === undefined ? [] : secretsOf(definition);
    return (text) => withoutSecrets(text, secrets);
  };
}
