export { V1Module } from './v1.module.js';
