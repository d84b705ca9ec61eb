import { Module } from '@nestjs/common';
import { RpcRateLimiter } from './rpc-rate-limiter.js';

/** What an account may use. Needs `AppConfig` from a global module. */
@Module({ providers: [RpcRateLimiter], exports: [RpcRateLimiter] })
export class LimitsModule {}
