export { V1Controller } from './v1.controller.js';
export { V1Module } from './v1.module.js';
