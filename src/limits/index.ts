export { LimitsModule } from './limits.module.js';
export { MessageAllowance } from './message-allowance.js';
export { RpcRateLimiter, type RateDecision } from './rpc-rate-limiter.js';
