import * as vscode from 'vscode';
import type { InputDefinition } from '../../contract/definitionSchemas.ts';
import type { InputOwner } from '../../definitions/inputs.ts';
import type { PromptForInput } from '../../editor/storage/storedInputValues.ts';
import { nativeText } from '../nativeText.ts';

/** The longest description of an input that is shown whole: the person is to read all of it. */
const maxDescription = 2_000;

/**
 * Asks the person for the value of one input of a definition. The definition's own words stand below a title of ours, so that
 * nobody takes them for ours.
 */
export const promptForInput: PromptForInput = async (owner, input, signal) => {
  if (signal.aborted) {
    return undefined;
  }
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await (input.type === 'pickString'
      ? pick(owner, input, cancellation.token)
      : vscode.window.showInputBox(boxOf(owner, input), cancellation.token));
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
};

function titleOf(owner: InputOwner, input: InputDefinition): string {
  return vscode.l10n.t('Value of “{0}” for the server “{1}”', nativeText(input.id), nativeText(owner.label));
}

function boxOf(owner: InputOwner, input: InputDefinition & { type: 'promptString' }): vscode.InputBoxOptions {
  const isPassword = input.password === true;
  return {
    title: titleOf(owner, input),
    password: isPassword,
    ignoreFocusOut: true,
    prompt: nativeText(input.description ?? '', maxDescription),
    ...(input.default === undefined ? {} : { value: input.default }),
  };
}

async function pick(
  owner: InputOwner,
  input: InputDefinition & { type: 'pickString' },
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const options = input.options.map((option) => (typeof option === 'string' ? { label: option, value: option } : option));
  // A quick pick has no preselected item, so the default comes first.
  const ordered = [...options.filter(({ value }) => value === input.default), ...options.filter(({ value }) => value !== input.default)];
  // The value is shown beside its label, because it is what the server gets.
  const shown = (text: string): string => nativeText(text, maxDescription);
  const items = ordered.map(({ label, value }) => ({ label: shown(label), description: value === label ? '' : shown(value), value }));
  const placeHolder = shown(input.description ?? '');
  const picked = await vscode.window.showQuickPick(items, { title: titleOf(owner, input), placeHolder, ignoreFocusOut: true }, token);
  return picked?.value;
}
