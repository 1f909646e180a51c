import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from '../harness/workbench.ts';
import { eventually } from './discovery.ts';

/** The chat as a person with a screen reader knows it: by the names of things. */
export class Chat {
  readonly frame: Frame;
  readonly message: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly conversation: Locator;
  readonly answers: Locator;

  private constructor(frame: Frame) {
    this.frame = frame;
    this.message = frame.getByRole('textbox', { name: 'Message' });
    this.send = frame.getByRole('button', { name: 'Send' });
    this.stop = frame.getByRole('button', { name: 'Stop', exact: true });
    this.conversation = frame.getByRole('log', { name: 'Conversation' });
    this.answers = frame.getByRole('article', { name: 'Assistant' });
  }

  static async open(workbench: Workbench): Promise<Chat> {
    return new Chat(await workbench.chatFrame());
  }

  async ask(text: string): Promise<void> {
    // A page that has just opened cannot send yet, and another conversation that is still being opened brings its own draft; a
    // trial waits without pressing.
    await eventually('the message to be sendable', async () => {
      await this.message.fill(text);
      return this.send.click({ trial: true, timeout: 5_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await this.message.press('Enter');
  }

  toolCall(server: string, tool: string): Locator {
    return this.frame.getByRole('group', { name: `Tool call: ${server} ${tool}` });
  }

  /** The permission question of the latest tool call. */
  question(): Locator {
    return this.frame.getByRole('group', { name: /^Permission:/ }).last();
  }

  /** Waits for what stands in the composer: the extension puts it there. */
  async untilDraft(text: RegExp): Promise<void> {
    await eventually(`the draft ${String(text)}`, async () => (text.test(await this.message.inputValue()) ? true : undefined));
  }

  /** Waits until the answer has ended, that is until one can send again. */
  async untilIdle(): Promise<void> {
    await this.send.waitFor();
  }
}
