export { installDirectRoutes, type DirectRoutes } from './install-direct-routes.js';
