import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../shared/localize.ts';

/** The places on a picture, as shares of its height, each of which must have been in view. */
const markedHeights = Array.from({ length: 8 }, (_, index) => (index + 1) / 8);

/** A picture of a question, as wide as the card at most and never cut: a tall one has to be scrolled through. A click shows it in its own size. */
export function Picture({ address, alt }: { readonly address: string; readonly alt: string }): JSX.Element {
  const [isLarge, setLarge] = useState(false);
  return (
    <div class="picture-frame">
      <button
        type="button"
        class={isLarge ? 'picture is-large' : 'picture'}
        aria-expanded={isLarge}
        title={isLarge ? t('Make the image smaller') : t('Make the image larger')}
        onClick={() => setLarge(!isLarge)}
      >
        <img src={address} alt={alt} />
        {markedHeights.map((share) => (
          <span key={share} class="picture-mark" data-end="" style={{ top: `calc(${share * 100}% - 1px)` }} />
        ))}
      </button>
    </div>
  );
}
