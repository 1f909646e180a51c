/** By name, not by `isLoopbackHost`: the ones that a registered address may change its port on, see `withoutLoopbackPort`. */
const redirectHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** Would run something or show something as if it were ours, in the browser or in a program the system starts for it. */
const refusedSchemes =
  /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|jar|intent|content|ftp|ws|wss|mailto|tel|sms|shell|chrome|edge|chrome-extension|moz-extension|resource|ms-.*|search.*|x-apple.*|x-help.*|help|ssh|telnet|ldap|smb|afp)$/;

const maxUriLength = 2_000;

/** Where a browser may be sent with a code: this machine, a site by https, or a program's own scheme. */
export function isAcceptableRedirect(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > maxUriLength || !URL.canParse(uri) || /[\u0000-\u0020\u007F-\uFFFF\\]/.test(uri)) {
    return false;
  }
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#') || username !== '' || password !== '') {
    return false;
  }
  switch (protocol) {
    case 'https:':
      return hostname !== '';
    case 'http:':
      return redirectHosts.includes(hostname);
    default:
      return !refusedSchemes.test(protocol.slice(0, -1)) && uri.length > protocol.length;
  }
}

/** Character by character; only the port of a program on this machine may differ, which it cannot know beforehand. */
export function matchesRedirect(registered: string, given: string): boolean {
  return registered === given || (isAcceptableRedirect(given) && withoutLoopbackPort(registered) === withoutLoopbackPort(given));
}

/** The same for a program that only took another port. Not by the URL's parts: those are tidied up. */
export function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d{1,5}(?=\/|\?|$)/, '$1');
}
