/** Between prose (more) and code or JSON (less); the provider's own count corrects it. */
const bytesPerToken = 3.5;
/** What a large image costs at most where images are scaled down before they are read. */
export const imageTokens = 1_600;

/** A page of a document costs its text and a picture of it; how many pages a file has is guessed from its length. */
const pageTokens = 3_000;
const base64OfAPage = 70_000;

export function estimateDocument(base64: string): number {
  return Math.max(1, Math.ceil(base64.length / base64OfAPage)) * pageTokens;
}

/** Rough, and at once: nothing is sent anywhere to be counted. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
