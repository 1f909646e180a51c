import * as vscode from 'vscode';
import { formOf, wishOf, type Completions } from '../../chat/context/argumentForms.ts';
import type { OfferedPrompt } from '../../chat/models/contentOffers.ts';
import type { ContentReader } from '../../host/resources/contentReader.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { askFor } from './askValues.ts';
import { nativeText } from '../nativeText.ts';
import { pickOffer, type OfferItem, type OfferPorts, type OfferWords } from './pickOffer.ts';
import type { PromptPreviews } from './promptPreviews.ts';
import { pickedMemberOf } from '../servers/serverNodes.ts';
import { withPatience } from '../native/progress.ts';

export interface RunPromptPorts extends OfferPorts {
  readonly reader: Pick<ContentReader, 'listed' | 'read'>;
  readonly previews: PromptPreviews;
  readonly completions: Completions;
}

/** `Run Prompt…`: gets the prompt of a tree row, or one that the person picks, and shows it to the person only. */
export async function runPrompt(ports: RunPromptPorts, argument: unknown, signal: AbortSignal): Promise<void> {
  const prompt = promptOfRow(argument) ?? (await pickPrompt(ports, signal));
  if (prompt === undefined) {
    return;
  }
  const fillable = { kind: 'prompt' as const, prompt };
  const values = await askFor(fillable, formOf('', fillable), ports.completions);
  const wish = values === undefined ? undefined : wishOf(fillable, values);
  if (wish?.kind !== 'prompt') {
    return;
  }
  const { name, server } = prompt;
  const title = vscode.l10n.t('Asking “{0}” for the prompt “{1}”', nativeText(server, 60), nativeText(name, 60));
  const content = await withPatience(title, (cancelled) =>
    ports.reader.read({
      ...wish,
      principal: 'palette',
      decidedBy: 'person',
      recordedAs: name,
      signal: AbortSignal.any([signal, cancelled]),
      ask: ports.ask,
    }),
  );
  if (content !== undefined) {
    await ports.previews.show({ wish, content });
  }
}

function pickPrompt(ports: RunPromptPorts, signal: AbortSignal): Promise<OfferedPrompt | undefined> {
  const words: OfferWords = {
    placeholder: vscode.l10n.t('Choose a prompt to run'),
    kind: 'prompts',
  };
  return pickOffer<OfferedPrompt>(ports, words, itemsOf, signal);
}

function itemsOf(server: ServerSnapshot): OfferItem<OfferedPrompt>[] {
  return server.prompts.map((prompt) => ({
    offer: offered(server, prompt),
    label: prompt.title ?? prompt.name,
    description: prompt.title === undefined ? '' : prompt.name,
    detail: prompt.description,
    icon: 'comment',
  }));
}

function promptOfRow(argument: unknown): OfferedPrompt | undefined {
  const picked = pickedMemberOf(argument);
  return picked?.member.kind === 'prompt' ? offered(picked.server, picked.member.prompt) : undefined;
}

function offered({ id, label }: ServerSnapshot, prompt: ServerSnapshot['prompts'][number]): OfferedPrompt {
  return { ...prompt, serverId: id, server: label };
}
