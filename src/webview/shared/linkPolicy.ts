import { isPlainBase64, revealInvisible } from '../../base/visibleText.ts';

/** The most characters of an address that becomes a link. */
const maxHrefLength = 8_192;
const openable = new Set(['http:', 'https:', 'mailto:']);

/** The address a click may ask the host to open; `undefined` means "show as plain text". Nothing else is ever a link. */
export function openableHref(href: string): string | undefined {
  if (href.length > maxHrefLength || revealInvisible(href) !== href) {
    return undefined;
  }
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return undefined;
  }
  // Credentials in an address only serve to make another host look like the real one.
  const isAllowed = openable.has(url.protocol) && url.username === '' && url.password === '' && url.href.length <= maxHrefLength;
  return isAllowed ? url.href : undefined;
}

/** Where a link really leads, when its text is itself an address of another host; shown next to it. */
export function disguisedHost(text: string, href: string): string | undefined {
  const named = hostIn(text.trim());
  if (named === undefined || !/^https?:/.test(href)) {
    return undefined;
  }
  const actual = new URL(href).hostname;
  return withoutWww(named.toLowerCase()) === withoutWww(actual) ? undefined : actual;
}

/** The host that a text names, if the text is an address and nothing else. A pattern for the whole would take the square of its length. */
function hostIn(text: string): string | undefined {
  const [host = ''] = text.replace(/^https?:\/\//i, '').split(/[/:?#@]/, 1);
  return /\s/.test(text) || !host.slice(1, -1).includes('.') ? undefined : host;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}

const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** A `data:` address for an image or sound in a result; `undefined` for SVG and anything that is not plain base64. */
export function dataAddress(kind: 'image' | 'audio', mimeType: string, data: string): string | undefined {
  const type = mimeType.toLowerCase().trim();
  const isShown = kind === 'image' ? shownImages.has(type) : /^audio\/[a-z0-9.+-]+$/.test(type);
  return isShown && isPlainBase64(data) ? `data:${type};base64,${data}` : undefined;
}
