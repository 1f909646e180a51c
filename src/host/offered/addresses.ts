/** The schemes of what the editor itself has. No other server's resource is taken for one of these. */
const ownSchemes: ReadonlySet<string> = new Set('editor diagnostics file workspace tests symbols syntax git terminal'.split(' '));
const ownSkills = 'duplex';
/** The most characters of an address or a pattern; a longer one is not taken for that of a server. */
const maxLength = 2_000;
/** The most variables of a pattern; one with more fits no address. */
const maxVariables = 50;

/** Whether an address, or a pattern of addresses, can be that of another server: it says its scheme, and is none of the editor's own. */
export function isForeignAddress(uri: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || uri.length > maxLength || ownSchemes.has(scheme) || /[\p{C}\s]/u.test(uri)) {
    return false;
  }
  return scheme !== 'skill' || hostOf(uri) !== ownSkills;
}

function hostOf(uri: string): string {
  const host = /^[^:]+:\/*([^/?#]*)/.exec(uri)?.[1] ?? '';
  try {
    return decodeURIComponent(host).toLowerCase();
  } catch {
    return host.toLowerCase();
  }
}

/**
 * Whether an address can have been made from a pattern, judged by the fixed texts of the pattern alone, in their order: what its server
 * does not have, it refuses. That takes no longer than the address is long, whatever the pattern is.
 */
export function fitsTemplate(uri: string, uriTemplate: string): boolean {
  const texts = uriTemplate.split(/\{[^{}]*\}/, maxVariables + 2);
  const [first = '', ...rest] = texts;
  const last = rest.pop();
  if (last === undefined) {
    return uri === uriTemplate;
  }
  if (texts.length > maxVariables + 1 || !uri.startsWith(first) || !uri.endsWith(last)) {
    return false;
  }
  let at = first.length;
  for (const text of rest) {
    const found = uri.indexOf(text, at);
    if (found < 0) {
      return false;
    }
    at = found + text.length;
  }
  return at <= uri.length - last.length;
}
