export { LimitsModule } from './limits.module.js';
export { RpcRateLimiter, type RateDecision } from './rpc-rate-limiter.js';
