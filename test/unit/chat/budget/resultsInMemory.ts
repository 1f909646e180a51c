import type { KeptResults } from '../../../../src/chat/budget/keptResults.ts';

/** As the files do it, without files. */
export class ResultsInMemory implements KeptResults {
  readonly texts = new Map<string, string>();

  keep(conversationId: string, text: string): Promise<string | undefined> {
    const id = `kept-${this.texts.size + 1}`;
    this.texts.set(`${conversationId}/${id}`, text);
    return Promise.resolve(id);
  }

  slice(conversationId: string, id: string, from: number, bytes: number): Promise<Uint8Array | undefined> {
    const text = this.texts.get(`${conversationId}/${id}`);
    return Promise.resolve(text === undefined ? undefined : Buffer.from(text).subarray(from, from + bytes));
  }

  forget(conversationId: string, id: string): Promise<void> {
    this.texts.delete(`${conversationId}/${id}`);
    return Promise.resolve();
  }

  whole(conversationId: string, id: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(`${conversationId}/${id}`));
  }
}
