import { isJsonObject } from '../../base/json.ts';

/** A picture a server shows itself or a tool with. */
export interface IconInfo {
  /** Holds the picture itself, or is on the server's own origin. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** `48x48` or `any`. */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: 'light' | 'dark' | undefined;
}

const maxIcons = 8;
const maxUrlLength = 2_000;
const maxDataLength = 64 * 1024;
const dataImage = /^data:image\/(png|jpeg|jpg|webp|svg\+xml)[;,]/i;

/**
 * Pure. Only pictures that tell nobody that they are looked at: within the description, or from the server itself over
 * https. Without an origin, as for a local program, the first kind only.
 */
export function readIcons(raw: unknown, origin: string | undefined): readonly IconInfo[] {
  const icons: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return icons.flatMap((icon) => readIcon(icon, origin)).slice(0, maxIcons);
}

/** Nothing at all where there are none. */
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
