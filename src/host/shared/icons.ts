import { isJsonObject } from '../../base/json.ts';

/** A picture that a server shows for itself or for one of its tools. */
export interface IconInfo {
  /** A `data:` URL with the picture in it, or an address on the server's own origin. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** Each size is `48x48` or `any`. */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: 'light' | 'dark' | undefined;
}

/** The most characters of the address of an icon; one with a longer address is left out. */
const maxUrlLength = 2_000;
/** The most characters of an icon that is a data address; a longer one is left out. */
const maxDataLength = 64 * 1024;
const dataImage = /^data:image\/(png|jpeg|jpg|webp|svg\+xml)[;,]/i;

/**
 * Keeps only pictures whose loading tells no third party anything: those within the description, and those that the server
 * itself serves over https. Without an origin, as for a local program, only the first kind is kept.
 */
export function readIcons(raw: unknown, origin: string | undefined): readonly IconInfo[] {
  const icons: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return icons.flatMap((icon) => readIcon(icon, origin));
}

/** An object without the field `icons` when no icon is usable. */
export function iconsOf(raw: unknown, origin: string | undefined): { readonly icons?: readonly IconInfo[] } {
  const icons = readIcons(raw, origin);
  return icons.length === 0 ? {} : { icons };
}

function readIcon(raw: unknown, origin: string | undefined): readonly IconInfo[] {
  if (!isJsonObject(raw) || typeof raw['src'] !== 'string' || !isAllowed(raw['src'], origin)) {
    return [];
  }
  const { src, mimeType, sizes, theme } = raw;
  const known = Array.isArray(sizes) ? sizes.filter((size) => typeof size === 'string' && /^(\d{1,5}x\d{1,5}|any)$/.test(size)) : [];
  return [
    {
      src,
      ...(typeof mimeType === 'string' && /^image\/[\w.+-]{1,50}$/.test(mimeType) ? { mimeType } : {}),
      ...(known.length === 0 ? {} : { sizes: known as readonly string[] }),
      ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
    },
  ];
}

function isAllowed(src: string, origin: string | undefined): boolean {
  if (dataImage.test(src)) {
    return src.length <= maxDataLength;
  }
  if (origin === undefined || src.length > maxUrlLength || !URL.canParse(src)) {
    return false;
  }
  const url = new URL(src);
  return url.protocol === 'https:' && url.origin === origin && url.username === '' && url.password === '';
}
