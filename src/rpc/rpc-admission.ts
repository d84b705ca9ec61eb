/**
 * Decides whether an account may make one more call right now (requirement S9). Asked once for every HTTP request,
 * before its body is looked at, so that a broken request counts as well.
 */
export abstract class RpcAdmission {
  /** @throws TooManyRequestsFailure, or rejects with it, when the account has used up its calls */
  abstract admit(accountId: string): void | Promise<void>;
}
