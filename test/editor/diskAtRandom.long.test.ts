import { describeDiskAtRandom } from './support/diskAtRandom.ts';

describeDiskAtRandom([1, 2, 3], 200, 70_000);
