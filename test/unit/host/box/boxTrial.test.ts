import assert from 'node:assert/strict';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BoxTools } from '../../../../src/host/box/boxTools.ts';
import { tryBox } from '../../../../src/host/box/boxTrial.ts';
import { hasBoxPrograms } from '../../../support/run/boxPrograms.mjs';
import { createTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

const socat = '/usr/bin/socat';

/** A program in the place of the one that makes boxes. */
function standIn(lines: string): string {
  const file = path.join(createTemporaryFolder(), 'stand-in');
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Runs what it is given, and confines nothing. */
const confinesNothing = (): string => standIn('shift 2\nexec "$@"');

describe('The trial of a box', function () {
  this.timeout(30_000);
  const trials = (): readonly string[] => readdirSync(tmpdir()).filter((name) => /^duplex-(?:trial|box)-/.test(name));

  it('finds nothing wrong with a real one, and leaves nothing behind', async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
    const before = trials();
    assert.equal(await tryBox({ kind: 'bubblewrap', bubblewrap: '/usr/bin/bwrap', socat }), undefined);
    assert.deepEqual(
      trials().filter((name) => !before.includes(name) && name.startsWith('duplex-trial-')),
      [],
    );
  });

  it('says of each way out of a box that it is open', async function () {
    if (!(await hasBoxPrograms())) {
      this.skip();
    }
    // Real boxes with one thing too much: what bubblewrap reads from its pipe comes with further options.
    const wider = (options: string): BoxTools => ({
      kind: 'bubblewrap',
      bubblewrap: standIn(
        `shift 2\n{ cat <&3; printf -- '${options}'; } > "$0.options"\nexec /usr/bin/bwrap --args 3 "$@" 3< "$0.options"`,
      ),
      socat,
    });
    const probesOf = async (options: string): Promise<readonly string[] | undefined> => (await tryBox(wider(options)))?.probes;
    const bind = (kind: string, place: string): string => `--${kind}\\0${place}\\0${place}\\0`;
    assert.equal(await probesOf(''), undefined);
    assert.deepEqual(await probesOf(bind('ro-bind', tmpdir())), ['reads', 'connects']);
    assert.deepEqual(await probesOf(bind('bind', tmpdir())), ['reads', 'writes', 'connects']);
    assert.deepEqual(await probesOf('--share-net\\0'), ['connects']);
    assert.deepEqual(await probesOf('--tmpfs\\0/box\\0'), ['works']);
  });

  it('fails where the program confines nothing, as it does where it cannot begin, and says what that said', async () => {
    const trial = await tryBox({ kind: 'seatbelt', sandbox: confinesNothing() });
    assert.deepEqual(trial?.probes.slice(0, 2), ['reads', 'writes']);
    const broken = standIn('echo "stand-in: profile not understood" >&2\nexit 65');
    const unreliable = { kind: 'unreliable', probes: ['starts'], said: 'stand-in: profile not understood' };
    assert.deepEqual(await tryBox({ kind: 'seatbelt', sandbox: broken }), unreliable);
    assert.deepEqual((await tryBox({ kind: 'bubblewrap', bubblewrap: '/none', socat }))?.probes, ['starts']);
  });

  it('is not fooled by a program that only claims to have tried', async () => {
    const claims = standIn('shift 2\nfor last; do :; done\necho "open $last"\necho "end $last"');
    assert.deepEqual((await tryBox({ kind: 'seatbelt', sandbox: claims }))?.probes, ['works']);
  });
});
