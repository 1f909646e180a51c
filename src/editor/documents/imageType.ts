/**
 * By what it begins with. A name alone makes no image: text would leave the editor without its secrets taken out. So must
 * not what only begins like one, and every real image has a zero byte in it.
 */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const type = signatures.find(([pattern]) => pattern.test(start))?.[1];
  return type !== undefined && bytes.includes(0) ? type : undefined;
}

const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

/** By what it begins and ends with; and no plain text either. */
export function isPdf(bytes: Uint8Array): boolean {
  const begin = String.fromCharCode(...bytes.subarray(0, 8));
  const end = String.fromCharCode(...bytes.subarray(-1_024));
  return begin.startsWith('%PDF-') && end.includes('%%EOF') && bytes.some((byte) => byte === 0 || byte > 127);
}
