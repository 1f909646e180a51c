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
