import { useState } from 'preact/hooks';
import type { ContextSuggestion, SuggestionTrigger } from '../../../contract/chat/attachments.ts';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';
import type { ChatStore } from '../chatStore.ts';
import type { OpenPanel } from './lazyComposerPanel.tsx';

const names = ['compact', 'clear', 'model', 'tools', 'export', 'help'] as const;
export type ChatCommandName = (typeof names)[number];

/** A command of the chat itself, among the suggestions after `/`. */
export interface CommandSuggestion {
  readonly kind: 'command';
  readonly id: string;
  readonly name: ChatCommandName;
  readonly detail: string;
}

/** A line of the list of suggestions. */
export type ShownSuggestion = ContextSuggestion | CommandSuggestion;

/** All commands of the chat itself, in the order in which they are listed. */
export function commandSuggestions(): readonly CommandSuggestion[] {
  const details: Readonly<Record<ChatCommandName, string>> = {
    compact: t('Put a summary in the place of what was said so far'),
    clear: t('Start a new conversation; this one is kept'),
    model: t('Choose who answers'),
    tools: t('Choose the tools that the model is offered'),
    export: t('Open this conversation as Markdown'),
    help: t('List these commands'),
  };
  return names.map((name) => ({ kind: 'command', id: `command:${name}`, name, detail: details[name] }));
}

/** The commands that begin with what is typed after `/`. */
export function commandsFor(trigger: SuggestionTrigger | undefined, query: string): readonly CommandSuggestion[] {
  return trigger === '/' ? commandSuggestions().filter(({ name }) => name.startsWith(query.toLowerCase())) : [];
}

/** The command that a message is, if it is nothing else. */
export function typedCommand(text: string): ChatCommandName | undefined {
  return names.find((name) => text.trim().toLowerCase() === `/${name}`);
}

/** Whether a server's prompt has the name of a command: then its server's name is a part of how it is called. */
export function isNamedLikeCommand({ kind, name }: ShownSuggestion): boolean {
  return kind === 'prompt' && names.some((each) => each === name.toLowerCase());
}

export interface ChatCommands {
  readonly run: (name: ChatCommandName) => void;
  /** Why the last command did nothing; empty when it did something. */
  readonly note: string;
}

/** Runs the commands of the chat. Each does what its button does. */
export function useChatCommands(store: ChatStore, intents: ChatIntents, panel: OpenPanel): ChatCommands {
  const [note, setNote] = useState('');
  const run = (name: ChatCommandName): void => {
    const { state } = store.view;
    const problem = whyNot(name, state);
    setNote(problem ?? '');
    if (problem !== undefined || state === undefined) {
      return;
    }
    const acts: Readonly<Record<ChatCommandName, () => void>> = {
      compact: () => intents.compact(),
      clear: () => intents.startNew(),
      model: () => intents.chooseModel(),
      tools: () => panel.toggle('tools'),
      export: () => intents.conversations.export(state.conversationId),
      help: () => panel.toggle('commands'),
    };
    acts[name]();
  };
  return { run, note };
}

function whyNot(name: ChatCommandName, state: ChatStore['view']['state']): string | undefined {
  if (name === 'compact' && (state?.context?.canCompact !== true || state.isRunning)) {
    return state?.isRunning === true
      ? t('The conversation is compacted once the answer is finished: try again then.')
      : t('There is nothing to compact yet.');
  }
  return name === 'export' && (state?.items.length ?? 0) === 0 ? t('There is nothing to export yet.') : undefined;
}
