/** Base64 of the plain alphabet without white space: what decoders of every kind read alike, so that what is shown is what is sent. */
export function isPlainBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
