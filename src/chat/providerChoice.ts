import type { ModelProvider } from './modelProvider.ts';

export interface ProviderFacts {
  /** `duplex.chat.provider`. */
  readonly setting: 'auto' | 'anthropic' | 'vscode' | 'offline';
  /** A stored Anthropic key, or `ANTHROPIC_API_KEY`. */
  readonly hasKey: boolean;
  readonly hasVscodeModels: boolean;
  /** Restricted Mode: no request to any model. */
  readonly isTrusted: boolean;
}

export interface ProviderChoice {
  readonly kind: ModelProvider['kind'];
  /** Why not what the setting names. */
  readonly fallback?: 'untrusted' | 'noVscodeModels';
}

/**
 * An explicit `anthropic` without a key stays `anthropic`: the first message then offers to set the key, instead of a
 * quiet answer from something else.
 */
export function chooseProvider(facts: ProviderFacts): ProviderChoice {
  if (!facts.isTrusted) {
    return facts.setting === 'offline' ? { kind: 'offline' } : { kind: 'offline', fallback: 'untrusted' };
  }
  switch (facts.setting) {
    case 'offline':
    case 'anthropic':
      return { kind: facts.setting };
    case 'vscode':
      return facts.hasVscodeModels ? { kind: 'vscode' } : { kind: 'offline', fallback: 'noVscodeModels' };
    case 'auto':
      return { kind: facts.hasKey ? 'anthropic' : facts.hasVscodeModels ? 'vscode' : 'offline' };
  }
}
