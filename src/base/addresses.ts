/**
 * Whether a host, written as in `URL.hostname` or by a socket, is this machine and nothing else, so that it may be spoken to
 * without encryption. This is strict on purpose: a resolver may send names such as `x.localhost` elsewhere.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host === 'localhost' || host === '::1' || host === '[::1]' || isLoopbackNumber(host);
}

/** Whether a host is in 127.0.0.0/8, written as four plain numbers: with a leading zero some programs read another address. */
function isLoopbackNumber(host: string): boolean {
  const [first, ...rest] = host.split('.');
  return first === '127' && rest.length === 3 && rest.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Decodes the percent-encoding of an address; a text that is not encoded well, such as one that is still being typed, stays as it is. */
export function decodedAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
