/** Between prose (more) and code or JSON (less); the provider's own count corrects it. */
const bytesPerToken = 3.5;
/** What a large image costs at most where images are scaled down before they are read. */
export const imageTokens = 1_600;

/** Rough, and at once: nothing is sent anywhere to be counted. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
