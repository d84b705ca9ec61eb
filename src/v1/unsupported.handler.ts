import { PushNotificationNotSupportedError, UnsupportedOperationError } from '../a2a/index.js';
import { A2AHandler, A2AMethod } from '../rpc/index.js';

/** Methods that A2A 1.0 has and this endpoint names as not supported, as its card says (requirement G6). */
@A2AHandler('1.0')
export class UnsupportedHandler {
  @A2AMethod('SendStreamingMessage', 'SubscribeToTask')
  stream(): never {
    throw new UnsupportedOperationError('Streaming is not supported; poll with GetTask');
  }

  @A2AMethod(
    'CreateTaskPushNotificationConfig',
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
  )
  push(): never {
    throw new PushNotificationNotSupportedError();
  }

  @A2AMethod('GetExtendedAgentCard')
  extendedCard(): never {
    throw new UnsupportedOperationError('There is no extended agent card');
  }
}
