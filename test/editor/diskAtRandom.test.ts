import { describeDiskAtRandom } from './support/diskAtRandom.ts';

describeDiskAtRandom([1], 120, 40_000);
