/** The card of the peers, of the size of hello-api's own. */
export const card = {
  name: 'echo',
  description: 'Answers with the text that it was sent',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'http://127.0.0.1/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  ],
  capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false, extensions: [] },
  securitySchemes: {
    accountToken: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT', description: '' } },
  },
  securityRequirements: [{ schemes: { accountToken: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'chat', name: 'Chat', description: 'Echoes', tags: ['chat'] }],
};
