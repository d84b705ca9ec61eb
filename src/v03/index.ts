export { V03Module } from './v03.module.js';
export { V03Settings } from './v03-settings.js';
