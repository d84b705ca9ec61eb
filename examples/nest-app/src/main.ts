import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ShopModule } from './shop.module.js';
import { PREFIX, shopSettings } from './shop.settings.js';

const settings = shopSettings(process.env);
// The bodies of calls are read strictly, from their bytes.
const app = await NestFactory.create(ShopModule.register(settings), { rawBody: true });
app.setGlobalPrefix(PREFIX);
// Lets running tasks end, and their state be stored, when the process is told to stop.
app.enableShutdownHooks();
await app.listen(settings.port);
