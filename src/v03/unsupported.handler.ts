import { ExtendedCardNotConfiguredError, PushNotificationNotSupportedError } from '../a2a/index.js';
import { A2AHandler, A2AMethod } from '../rpc/index.js';

/** Methods that A2A 0.3 has and this endpoint names as not supported, as its card says (requirement P7). */
@A2AHandler('0.3')
export class UnsupportedHandler {
  @A2AMethod(
    'tasks/pushNotificationConfig/set',
    'tasks/pushNotificationConfig/get',
    'tasks/pushNotificationConfig/list',
    'tasks/pushNotificationConfig/delete',
  )
  push(): never {
    throw new PushNotificationNotSupportedError();
  }

  @A2AMethod('agent/getAuthenticatedExtendedCard')
  extendedCard(): never {
    throw new ExtendedCardNotConfiguredError();
  }
}
