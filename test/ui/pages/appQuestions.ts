import type { FrameLocator, Locator } from 'playwright-core';
import type { Chat } from './chat.ts';

/** Somebody asks, and what then shows that the answer counted. */
export interface Asked {
  readonly open: () => Promise<Locator>;
  readonly refusal: 'Deny' | 'Decline';
  readonly refused: () => Promise<void>;
  readonly consent: string;
  /** What has to be filled in before. */
  readonly fillIn?: (question: Locator) => Promise<void>;
  readonly allowed: () => Promise<void>;
}

/** What an app of the server “drawing” is asked about; `run` lets a tool be called that has a page. */
export function appQuestions(chat: () => Chat, run: () => Promise<void>): Readonly<Record<'showApp' | 'appAct', Asked>> {
  const card = (): Locator => chat().frame.getByRole('group', { name: 'App: drawing draw' }).last();
  const inside = (): FrameLocator => card().frameLocator('iframe.app-shell').frameLocator('iframe').frameLocator('iframe');
  const question = async (name: RegExp): Promise<Locator> => {
    const asked = chat().frame.getByRole('group', { name });
    await asked.waitFor();
    return asked;
  };
  return {
    showApp: {
      open: async () => {
        await run();
        return question(/^Permission: Show the app of “draw” from the server “drawing”/);
      },
      refusal: 'Deny',
      refused: async () => {
        await card().getByText('You did not allow this app.').waitFor();
        await chat().untilIdle();
      },
      consent: 'Allow for this session',
      allowed: async () => {
        await inside().getByRole('button', { name: 'Say' }).waitFor();
        await chat().untilIdle();
      },
    },
    appAct: {
      open: async () => {
        await inside().getByRole('button', { name: 'Say' }).click();
        return question(/wants to send a message as you/);
      },
      refusal: 'Deny',
      refused: () => inside().getByText('"isError":true').waitFor(),
      consent: 'Allow once',
      allowed: async () => {
        await chat().frame.getByRole('article', { name: 'You' }).last().getByText('hello from the app').waitFor();
        await chat().untilIdle();
      },
    },
  };
}
