/**
 * Whether a host, as `URL.hostname` or a socket has it, is this machine and nothing else: what may be spoken to without
 * encryption. Strict on purpose: names under `localhost` are left to a resolver, which may send them elsewhere.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return host === 'localhost' || host === '::1' || host === '[::1]' || isLoopbackNumber(host);
}

/** 127.0.0.0/8 as four plain numbers: with a leading zero some programs read another address. */
function isLoopbackNumber(host: string): boolean {
  const [first, ...rest] = host.split('.');
  return first === '127' && rest.length === 3 && rest.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}
