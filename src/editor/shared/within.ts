/** Waits for the editor no longer than this, and not beyond the signal. What it does then goes on unheard. */
export async function within<T>(work: PromiseLike<T>, timeoutMs: number, signal: AbortSignal, tooLate: () => Error): Promise<T> {
  signal.throwIfAborted();
  let stopWaiting = (): void => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    const timer = setTimeout(() => reject(tooLate()), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    stopWaiting = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    stopWaiting();
  }
}
