// markdown/: a model's Markdown as elements: lexed within limits and parsed into a tree of our own in a thread of the page
// (textThread.ts), and drawn in slices without any HTML of its author. Links say where they lead and open only through the host.
import { Fragment, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { unreachable } from '../../base/errors.ts';
import { Icon } from '../shared/elements.tsx';
import { t } from '../shared/localize.ts';
import { pure } from '../shared/page.tsx';
import { PlainContext, PlainText, useSlices } from '../shared/plainText.tsx';
import { CodeBlock } from './codeBlock.tsx';
import { FileLink, InertLink } from '../shared/pageActions.tsx';
import type { Block, Inline } from './parseMarkdown.ts';
import { groupSlices, type Slice } from './slices.ts';
import { useMarkdownBlocks } from './markdownBlocks.ts';

export interface MarkdownProps {
  readonly text: string;
  /** Whether more text is coming: then only the last blocks are read again. */
  readonly isStreaming?: boolean;
}

/** Draws Markdown, and plain text until the thread has read it. What is too slow to be read stays plain text. */
export const Markdown = pure(({ text, isStreaming = false }: MarkdownProps) => {
  const isPlain = useContext(PlainContext);
  const slices = useMarkdownBlocks(text, isStreaming, isPlain);
  return (
    <div class="markdown">
      {slices === undefined ? (
        <p class="unread">
          <PlainText text={text} />
        </p>
      ) : (
        <Blocks slices={slices} />
      )}
    </div>
  );
});

function Blocks({ slices }: { readonly slices: readonly Slice<Block>[] }): JSX.Element {
  const groups = groupSlices(useSlices(slices));
  return (
    <>
      {groups.map((blocks, index) => (
        <Group key={index} blocks={blocks} isOneOfMany={groups.length > 1} />
      ))}
    </>
  );
}

interface GroupProps {
  readonly blocks: readonly Block[];
  readonly isOneOfMany: boolean;
}

/** Some blocks of the text. Those of a long text cost nothing while they are out of sight. */
const Group = pure(
  ({ blocks, isOneOfMany }: GroupProps) => (
    <div class={isOneOfMany ? 'markdown-part is-one-of-many' : 'markdown-part'}>
      {blocks.map((block, index) => (
        <TopLevel key={index} block={block} />
      ))}
    </div>
  ),
  (before, after) =>
    before.isOneOfMany === after.isOneOfMany &&
    before.blocks.length === after.blocks.length &&
    before.blocks.every((block, index) => block === after.blocks[index]),
);

/** A block of the text; the same object is the same block, and is not drawn again. */
const TopLevel = pure(({ block }: { readonly block: Block }) => drawBlock(block));

function drawBlock(block: Block, key?: number): JSX.Element {
  switch (block.kind) {
    case 'paragraph':
      return <p key={key}>{drawInlines(block.children)}</p>;
    case 'heading':
      return (
        <div key={key} class={`heading is-${block.depth}`} dir="auto" role="heading" aria-level={Math.max(2, Math.min(6, block.depth))}>
          {drawInlines(block.children)}
        </div>
      );
    case 'code':
      return <CodeBlock key={key} code={block.text} language={block.language} file={block.file} />;
    case 'quote':
      return (
        <blockquote key={key} dir="auto">
          {drawBlocks(block.blocks)}
        </blockquote>
      );
    case 'list':
      return drawList(block, key);
    case 'table':
      return drawTable(block, key);
    case 'rule':
      return <hr key={key} />;
    case 'raw':
      return (
        <p key={key} class="raw">
          {block.text}
        </p>
      );
    default:
      return unreachable(block);
  }
}

function drawBlocks(blocks: readonly Block[]): JSX.Element[] {
  return blocks.map((block, index) => drawBlock(block, index));
}

function drawList({ start, items }: Extract<Block, { kind: 'list' }>, key: number | undefined): JSX.Element {
  const drawn = items.map((blocks, index) => <li key={index}>{drawBlocks(blocks)}</li>);
  return start === undefined ? (
    <ul key={key} dir="auto">
      {drawn}
    </ul>
  ) : (
    <ol key={key} start={start} dir="auto">
      {drawn}
    </ol>
  );
}

function drawTable({ align, header, rows }: Extract<Block, { kind: 'table' }>, key: number | undefined): JSX.Element {
  return (
    <div key={key} class="table-frame" tabIndex={0} role="group" aria-label={t('Table')}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col" dir="auto" class={`align-${align[index] ?? 'start'}`}>
                {drawInlines(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} dir="auto" class={`align-${align[index] ?? 'start'}`}>
                  {drawInlines(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function drawInlines(inlines: readonly Inline[]): JSX.Element[] {
  return inlines.map((inline, index) => <Fragment key={index}>{drawInline(inline)}</Fragment>);
}

function drawInline(inline: Inline): JSX.Element | string {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'break':
      return <br />;
    case 'checkbox':
      return <input type="checkbox" checked={inline.checked} disabled aria-label={inline.checked ? t('done') : t('to do')} />;
    case 'strong':
      return <strong>{drawInlines(inline.children)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(inline.children)}</em>;
    case 'deleted':
      return <s>{drawInlines(inline.children)}</s>;
    case 'link':
      return drawLink(inline);
    case 'file':
      return <FileLink reference={inline.reference}>{drawInlines(inline.children)}</FileLink>;
    case 'image':
      return drawImage(inline);
    default:
      return unreachable(inline);
  }
}

function drawLink({ href, children, disguisedHost }: Extract<Inline, { kind: 'link' }>): JSX.Element {
  return (
    <>
      <InertLink href={href}>{drawInlines(children)}</InertLink>
      {disguisedHost !== undefined && <span class="secondary"> ({disguisedHost})</span>}
    </>
  );
}

function drawImage({ alt, href }: Extract<Inline, { kind: 'image' }>): JSX.Element {
  const name = alt.trim() === '' ? t('Image') : t('Image: {0}', alt);
  return (
    <span class="image-name">
      <Icon name="file-media" />
      {href === undefined ? name : <InertLink href={href}>{name}</InertLink>}
    </span>
  );
}
