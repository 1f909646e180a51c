import { describeClientRequests } from '../support/clientRequestRules.ts';
import { describeLegacyRules } from '../support/legacyRules.ts';
import { describeLegacyTasks } from '../support/legacyTaskRules.ts';
import { statelessHttp } from '../support/modernLinks.ts';
import { describeModernRules, describeModernWaiting } from '../support/modernRules.ts';
import { httpSse, inMemory, streamableHttp } from '../support/protocolLinks.ts';

for (const transport of [streamableHttp, httpSse]) {
  describeLegacyRules(transport);
  describeClientRequests(transport);
  describeLegacyTasks(transport);
}

describeClientRequests(inMemory);

describeModernRules(statelessHttp);
describeModernWaiting(statelessHttp);
