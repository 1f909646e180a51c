const tickMs = 2;

/** How long, at most, nothing else could happen in this process while `work` was under way. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - tickMs);
    last = now;
  };
  const timer = setInterval(look, tickMs);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return Math.max(0, longest);
}
