import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { A2AMethodExplorer } from './a2a-method.explorer.js';
import { A2AMethodRegistry } from './a2a-method.registry.js';
import { A2ADispatcher } from './a2a.dispatcher.js';
import { ErrorMapper } from './error.mapper.js';
import { HttpFailureFilter } from './http-failure.filter.js';
import { RpcEndpoint } from './rpc-endpoint.service.js';
import { RpcStatistics } from './rpc-statistics.js';

/** JSON-RPC over HTTP for any number of wires. `RpcAdmission` and `SseSettings` come from whoever puts the program together. */
@Module({
  imports: [DiscoveryModule],
  providers: [
    A2AMethodRegistry,
    A2AMethodExplorer,
    A2ADispatcher,
    RpcEndpoint,
    ErrorMapper,
    RpcStatistics,
    HttpFailureFilter,
  ],
  exports: [RpcEndpoint, RpcStatistics, ErrorMapper, HttpFailureFilter],
})
export class RpcModule {}
