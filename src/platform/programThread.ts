import { parentPort } from 'node:worker_threads';
import { messageOf } from '../base/errors.ts';
import { runProgram, type ProgramRequest } from './processes/runProgram.ts';

/** What the owner of this thread says: in one build, so types are enough. */
export type ProgramOrder =
  | { readonly kind: 'run'; readonly id: number; readonly request: ProgramRequest }
  | { readonly kind: 'end'; readonly id: number }
  /** Ends all, and the thread. */
  | { readonly kind: 'close' };

export type ProgramReport = { readonly id: number } & (
  | {
      readonly kind: 'ended';
      readonly exitCode: number | null;
      readonly output: Uint8Array;
      readonly errorText: string;
      readonly isCut: boolean;
    }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
);

const running = new Map<number, AbortController>();

/** The program of a thread that does nothing but start others and take what they write. */
parentPort?.on('message', (order: ProgramOrder) => {
  switch (order.kind) {
    case 'run':
      void run(order.id, order.request);
      break;
    case 'end':
      running.get(order.id)?.abort();
      break;
    case 'close':
      running.forEach((controller) => controller.abort());
      parentPort?.close();
      break;
  }
});

async function run(id: number, request: ProgramRequest): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const { output, ...result } = await runProgram(request, controller.signal);
    // Of its own: what is handed over is gone here, and small buffers share one.
    const own = output.byteLength === output.buffer.byteLength ? output : Uint8Array.from(output);
    report({ id, kind: 'ended', ...result, output: own }, [own.buffer as ArrayBuffer]);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    report({ id, kind: 'failed', code, message: messageOf(error) });
  } finally {
    running.delete(id);
  }
}

function report(told: ProgramReport, handedOver: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(told, [...handedOver]);
}
