import { describeClientRequests } from '../../support/clientRequestRules.ts';
import { describeLegacyRules } from '../../support/legacyRules.ts';
import { describeLegacyTasks } from '../../support/legacyTaskRules.ts';
import { describeModernRules, describeModernWaiting } from '../../support/modernRules.ts';
import { webSocketAt } from '../../support/wsLinks.ts';

for (const path of ['/ws', '/mcp']) {
  describeLegacyRules(webSocketAt(path));
}
const socket = webSocketAt('/ws');
describeClientRequests(socket);
describeLegacyTasks(socket);
describeModernRules(socket);
describeModernWaiting(socket);
