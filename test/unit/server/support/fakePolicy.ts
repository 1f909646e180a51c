import type { Event } from '../../../../src/base/events.ts';
import { readSetting } from '../../../../src/contract/settings/readSetting.ts';
import type { PolicySource } from '../../../../src/server/access/policy.ts';

const neverChanges: Event<void> = () => ({ dispose: () => undefined });

/** `duplex.server.policy` with this value, right or wrong, read as the editor reads it. */
export function policySource(value: () => unknown, onDidChange = neverChanges): PolicySource {
  return { read: () => readSetting('duplex.server.policy', value()), onDidChange };
}
