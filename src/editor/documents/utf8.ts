/** So far VS Code looks for zeros, which make a file binary or UTF-16. */
const lookedAtForZeros = 512;

/**
 * The text of what can only be UTF-8, without a byte order mark; `undefined` for what VS Code has to look at. It would say the
 * same of most files, but ask its main process first: three times as long as to read one.
 */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, lookedAtForZeros).includes(0)) {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
