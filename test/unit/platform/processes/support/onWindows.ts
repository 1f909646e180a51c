/** Runs something as if on Windows: `process.platform` says so until it is done. The disk stays that of this machine. */
export async function onWindows<T>(work: () => T | Promise<T>): Promise<T> {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
  }
}
