import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import * as path from 'node:path';
import type { HeldLock } from '../../../../src/platform/files/fileLock.ts';
import { LineBurst } from '../../../../src/platform/files/lineBurst.ts';
import { RotatingLines } from '../../../../src/platform/files/rotatingLines.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../../support/run/temporaryFolder.mjs';

describe('Lines that follow each other closely', () => {
  const realWrite = fs.writeSync;
  const realClose = fs.closeSync;
  let folder: string;
  let file: string;
  let lines: RotatingLines;

  beforeEach(() => {
    folder = createTemporaryFolder();
    file = path.join(folder, 'audit.jsonl');
    lines = new RotatingLines(file, { maxBytes: 1_000, maxParts: 3, maxHeldUpMs: 60_000 });
  });
  afterEach(async () => {
    replaceWrite(realWrite);
    replaceClose(realClose);
    await lines.rest();
    await removeTemporaryFolder(folder);
  });

  const append = (line: string, to = lines): Promise<void> => to.append(() => ({ lines: [line], seal: `seal of ${line}` }));
  const text = (): string => fs.readFileSync(file, 'utf8');
  const seals = (): string => fs.readFileSync(`${file}.seal`, 'utf8');
  const replaceWrite = (write: typeof fs.writeSync): void => {
    fs.writeSync = write;
    syncBuiltinESMExports();
  };
  const replaceClose = (close: typeof fs.closeSync): void => {
    fs.closeSync = close;
    syncBuiltinESMExports();
  };

  it('are in the file at once, under one lock, with the seals of the last two until it is given back', async () => {
    await append('one');
    const owner = fs.readdirSync(`${file}.lock`);
    await append('two');
    await append('three');
    assert.deepEqual(fs.readdirSync(`${file}.lock`), owner);
    assert.equal(text(), 'one\ntwo\nthree\n');
    assert.equal(seals(), 'seal of two\nseal of three');
    await lines.rest();
    assert.equal(seals(), 'seal of three');
    assert.deepEqual(fs.readdirSync(folder).sort(), ['audit.jsonl', 'audit.jsonl.seal']);
  });

  it('leave the lock to others a moment after the last of them', async () => {
    await append('one');
    while (fs.existsSync(`${file}.lock`)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(seals(), 'seal of one');
  });

  it('are written one by one, and leave no lock, when the file was closed before', async () => {
    await append('one');
    await lines.close();
    await append('two');
    assert.equal(fs.existsSync(`${file}.lock`), false);
    await append('three');
    assert.deepEqual(fs.readdirSync(folder).sort(), ['audit.jsonl', 'audit.jsonl.seal']);
    assert.deepEqual([text(), seals()], ['one\ntwo\nthree\n', 'seal of three']);
  });

  it('are not ended by a look around that began before they did', async () => {
    const looks: ((isWaitedFor: boolean) => void)[] = [];
    const lock = {
      isHeld: () => Promise.resolve(true),
      isWaitedFor: () => new Promise<boolean>((resolve) => looks.push(resolve)),
      release: () => Promise.resolve(),
    };
    const due: LineBurst[] = [];
    fs.writeFileSync(file, '');
    fs.writeFileSync(`${file}.seal`, '');
    const realNow = performance.now.bind(performance);
    performance.now = () => 0; // never idle
    try {
      const start = { file, sealFile: `${file}.seal`, lastLine: '', seal: '', maxBytes: 1_000, maxHeldUpMs: 60_000 };
      const burst = (): LineBurst =>
        new LineBurst({
          ...start,
          lock: lock as unknown as HeldLock,
          replaceSeal: () => Promise.resolve(),
          onDue: (which) => due.push(which),
        });
      const [ended, other] = [burst(), burst()];
      while (looks.length < 2) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      await ended.end();
      looks.forEach((answer) => answer(true));
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(due.length, 1);
      assert.equal(due[0], other);
      await other.end();
    } finally {
      performance.now = realNow;
    }
  });

  it('do not keep another window waiting, however many there are', async () => {
    const other = new RotatingLines(file, { maxBytes: 1_000_000, maxParts: 3 });
    const state = { isOthersWritten: false };
    await append('one');
    const others = append('of another window', other).then(() => (state.isOthersWritten = true));
    for (let number = 0; !state.isOthersWritten; number += 1) {
      await append(String(number));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await others;
    await other.rest();
  });

  it('are refused when the file is not there any more, though it is still open here', async () => {
    await append('one');
    await append('two');
    fs.rmSync(file);
    fs.mkdirSync(file);
    await assert.rejects(append('three'));
    await assert.rejects(append('four'));
  });

  it('leave nothing half when the disk is full, and go on when there is room', async () => {
    await append('one');
    await append('two');
    replaceWrite(((fd: number, bytes: Buffer, offset: number, length: number, position: number | null) => {
      if (position === null) {
        realWrite(fd, bytes, offset, Math.ceil(length / 2), null);
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      }
      return realWrite(fd, bytes, offset, length, position);
    }) as typeof fs.writeSync);
    await assert.rejects(append('three'), { code: 'ENOSPC' });
    assert.equal(text(), 'one\ntwo\n');
    assert.equal(seals(), 'seal of two');
    replaceWrite(realWrite);
    await lines.append((last) => ({ lines: [`after ${last ?? ''}`], seal: 'end' }));
    await lines.rest();
    assert.deepEqual([text(), seals()], ['one\ntwo\nafter two\n', 'end']);
  });

  it('give the lock back where the disk says only at the end that it is full; the next one is refused, and those after it take care', async () => {
    await append('one');
    await append('two');
    const closed: number[] = [];
    replaceClose((fd) => {
      realClose(fd);
      closed.push(fd);
      throw Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' });
    });
    await lines.rest();
    replaceClose(realClose);
    assert.equal(new Set(closed).size, 2);
    assert.equal(fs.existsSync(`${file}.lock`), false);
    await assert.rejects(append('three'), { code: 'EDQUOT' });
    replaceWrite(() => assert.fail('a burst'));
    await append('four');
    await append('five');
    assert.equal(text(), 'one\ntwo\nfour\nfive\n');
  });

  it('are written with all care where the disk is slow, and other things can happen meanwhile', async () => {
    const slow = new RotatingLines(file, { maxBytes: 1_000, maxParts: 3, maxHeldUpMs: -1 });
    await append('one', slow);
    await append('two', slow);
    replaceWrite(() => assert.fail('held up'));
    await append('three', slow);
    await append('four', slow);
    assert.equal(text(), 'one\ntwo\nthree\nfour\n');
  });

  it('are written with all care for longer where the disk is slow again', async () => {
    const realNow = performance.now.bind(performance);
    let laterMs = 0;
    performance.now = () => realNow() + laterMs;
    try {
      const slow = new RotatingLines(file, { maxBytes: 1_000, maxParts: 3, maxHeldUpMs: -1 });
      const writesAtOnce = async (): Promise<boolean> => {
        let isAtOnce = false;
        replaceWrite(((...args: Parameters<typeof fs.writeSync>) => {
          isAtOnce = true;
          return realWrite(...args);
        }) as typeof fs.writeSync);
        await append('first', slow);
        await append('second', slow);
        await slow.rest();
        return isAtOnce;
      };
      assert.deepEqual([await writesAtOnce(), await writesAtOnce()], [true, false]);
      laterMs += 11_000;
      assert.deepEqual([await writesAtOnce(), await writesAtOnce()], [true, false]);
      laterMs += 11_000;
      assert.equal(await writesAtOnce(), false);
      laterMs += 11_000;
      assert.equal(await writesAtOnce(), true);
    } finally {
      performance.now = realNow;
    }
  });

  /** As another window does when this one stood still for longer than a lock is kept. */
  const goOnElsewhere = (written: string): void => {
    fs.rmSync(`${file}.lock`, { recursive: true });
    fs.appendFileSync(file, written);
  };
  /** A disk that stands still before it writes seals, or the line. */
  const standStill = (at: 'seals' | 'line', meanwhile: () => void, after?: () => void): void =>
    replaceWrite(((fd: number, bytes: Buffer, offset: number, length: number, position: number | null) => {
      if ((position === null) === (at === 'line')) {
        replaceWrite(realWrite);
        meanwhile();
        after?.();
      }
      return realWrite(fd, bytes, offset, length, position);
    }) as typeof fs.writeSync);
  const appendAfterLast = (line: string, to: RotatingLines): Promise<void> =>
    to.append((last) => ({ lines: [`${line} after ${last ?? ''}`], seal: line }));

  for (const at of ['seals', 'line'] as const) {
    it(`follow what another window wrote while the disk stood still before the ${at}`, async () => {
      const slow = new RotatingLines(file, { maxBytes: 1_000, maxParts: 3, maxHeldUpMs: 0 });
      await append('one', slow);
      standStill(at, () => goOnElsewhere('of another window\n'));
      await appendAfterLast('two', slow);
      await slow.rest();
      assert.equal(text(), 'one\nof another window\ntwo after of another window\n');
    });
  }

  it('take nothing of another window away when they fail after the disk stood still', async () => {
    await append('one');
    const fail = (): never => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    standStill('line', () => goOnElsewhere('of another window\n'), fail);
    await assert.rejects(append('two'), { code: 'ENOSPC' });
    assert.equal(text(), 'one\nof another window\n');
  });

  it('see what somebody else has written meanwhile', async () => {
    await append('one');
    fs.appendFileSync(file, 'by hand\n');
    await lines.append((last) => ({ lines: [`after ${last ?? ''}`], seal: '' }));
    assert.equal(text(), 'one\nby hand\nafter by hand\n');
  });

  for (const [how, change, last] of [
    ['added to', () => fs.appendFileSync(file, 'by hand\n'), 'by hand'],
    ['cut', () => fs.truncateSync(file, 'one\n'.length), 'one'],
    ['replaced', () => fs.renameSync(file, path.join(folder, 'moved')), undefined],
  ] as const) {
    it(`tell the last line and its seal again when the file was ${how} by somebody who does not hold the lock`, async () => {
      const told: unknown[] = [];
      const note = (line: string): Promise<void> =>
        lines.append((...before) => {
          told.push(before);
          return { lines: [line], seal: `seal of ${line}` };
        });
      await append('one');
      await note('two');
      await note('three');
      assert.deepEqual(told.splice(0), [['one'], ['two']]);
      change();
      await note('four');
      await note('five');
      assert.deepEqual(told, [[last, 'seal of three'], ['four']]);
    });
  }

  it('begin a new file where one is full', async () => {
    for (let number = 0; number < 30; number += 1) {
      await append(`${number} ${'x'.repeat(60)}`);
    }
    await lines.rest();
    const { parts } = await lines.read();
    assert.deepEqual(
      parts.flatMap((part) => part.lines.map((line) => Number(line.split(' ')[0]))),
      Array.from({ length: 30 }, (_, index) => index),
    );
    assert.ok(parts.length > 1);
  });
});
