import { Module } from '@nestjs/common';
import { MessageAllowance } from './message-allowance.js';
import { RpcRateLimiter } from './rpc-rate-limiter.js';

/** What an account may use. Needs `AppConfig` from a global module. */
@Module({ providers: [MessageAllowance, RpcRateLimiter], exports: [MessageAllowance, RpcRateLimiter] })
export class LimitsModule {}
