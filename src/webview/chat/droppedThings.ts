/** What can be taken of a paste or a drop: images and PDFs as they are, and addresses of the editor's files. */
export interface TakenThings {
  readonly images: readonly File[];
  readonly uris: readonly string[];
  /** Files of which a page gets no address. */
  readonly others: number;
}

const maxTaken = 20;
/** In bytes: base64 makes a third more of it. */
export const maxImageFile = 5_500_000;

/** A spreadsheet puts a picture of its cells beside their text: who pastes that wants the text, which is left to the text box. */
export function takeFromPaste(data: Pick<DataTransfer, 'files' | 'getData'>): TakenThings {
  const taken = takeFrom(data);
  return taken.uris.length === 0 && hasWords(data) ? { images: [], uris: [], others: 0 } : taken;
}

/** A file manager puts the names of the files there as text. */
function hasWords(data: Pick<DataTransfer, 'files' | 'getData'>): boolean {
  const names = new Set([...data.files].map(({ name }) => name));
  const lines = data.getData('text/plain').trim().split(/\r?\n/);
  return lines.some((line) => line.trim() !== '' && !names.has(line.trim().replace(/^.*[/\\]/, '')));
}

export function takeFrom(data: Pick<DataTransfer, 'files' | 'getData'>): TakenThings {
  const files = [...data.files].slice(0, maxTaken);
  const images = files.filter(({ type }) => /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/.test(type));
  const uris = urisIn(data);
  return { images, uris, others: uris.length > 0 ? 0 : files.length - images.length };
}

/** VS Code's own list first: it has what the Explorer drags, also of other machines. */
function urisIn(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  const text = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list');
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line))
    .slice(0, maxTaken);
}

/** Base64, without the head of the data address. */
export function readImage(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : '');
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });
}
