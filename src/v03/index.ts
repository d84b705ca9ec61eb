export { V03Controller } from './v03.controller.js';
export { V03Module } from './v03.module.js';
export { V03Settings } from './v03-settings.js';
