import { InvalidParamsError } from '../a2a/index.js';
import { validateParams } from '../rpc/index.js';
import { readProtoJson } from './proto-json.js';
import { parseTimestamp } from './timestamp.js';
import { GetTaskParams, ListTasksParams, SendMessageParams } from './params.dto.js';

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

async function fieldsRefused(type: new () => object, source: Record<string, unknown>): Promise<string[]> {
  try {
    await validateParams(readProtoJson(type, source));
    return [];
  } catch (error) {
    if (error instanceof InvalidParamsError) return error.violations.map(({ field }) => field);
    throw error;
  }
}
const send = (members: object) => fieldsRefused(SendMessageParams, { message: { ...message, ...members } });

describe('reading ProtoJSON', () => {
  it('[W6] takes camelCase and snake_case names, null as absent, numbers for enums, digits for integers', () => {
    const params = readProtoJson(SendMessageParams, {
      message: {
        message_id: 'm',
        role: 1,
        parts: [{ text: 'hi', media_type: 'text/plain', url: null }],
        context_id: null,
      },
      configuration: { history_length: '3', return_immediately: true, accepted_output_modes: ['text/plain'] },
    });
    expect(params).toEqual({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi', mediaType: 'text/plain' }] },
      configuration: { historyLength: 3, returnImmediately: true, acceptedOutputModes: ['text/plain'] },
    });
    expect(params.message.parts[0]).not.toHaveProperty('url');
  });

  it('[B09] ignores unknown fields at every level', async () => {
    await expect(
      fieldsRefused(SendMessageParams, {
        message: { ...message, later: 1, parts: [{ text: 'hi', later: {} }] },
        configuration: { later: [] },
        later: true,
      }),
    ).resolves.toEqual([]);
  });

  it('[B12] takes empty contextId and taskId as absent', () => {
    const params = readProtoJson(SendMessageParams, { message: { ...message, taskId: '', contextId: '' } });
    expect(params.message).not.toHaveProperty('taskId');
    expect(params.message).not.toHaveProperty('contextId');
  });

  it.each([
    [{ messageId: undefined }, 'message.messageId'],
    [{ messageId: '' }, 'message.messageId'],
    [{ messageId: '  ' }, 'message.messageId'],
    [{ messageId: 5 }, 'message.messageId'],
    [{ messageId: 'x'.repeat(129) }, 'message.messageId'],
    [{ contextId: ' ' }, 'message.contextId'],
    [{ taskId: 'x'.repeat(129) }, 'message.taskId'],
    [{ role: undefined }, 'message.role'],
    [{ role: 'ROLE_UNSPECIFIED' }, 'message.role'],
    [{ role: 'user' }, 'message.role'],
    [{ role: 2 }, 'message.role'],
    [{ parts: undefined }, 'message.parts'],
    [{ parts: [] }, 'message.parts'],
    [{ parts: {} }, 'message.parts'],
    [{ parts: ['x'] }, 'message.parts'],
    [{ parts: [[]] }, 'message.parts'],
    [{ parts: [null] }, 'message.parts'],
    [{ parts: [{ text: 'a' }, { text: 5 }] }, 'message.parts[1].text'],
    [{ parts: [{}] }, 'message.parts[0].text'],
    [{ parts: [{ metadata: {} }] }, 'message.parts[0].text'],
    [{ parts: [{ text: '' }] }, 'message.parts[0].text'],
    [{ parts: [{ text: 'hi', data: { a: 1 } }] }, 'message.parts[0].text'],
    [{ metadata: [] }, 'message.metadata'],
    [{ extensions: 'x' }, 'message.extensions'],
  ])('[W3] [B10] [B13] [B14] names the field for %j', async (members, field) => {
    const refused = await send(members);
    expect(refused).toContain(field);
  });

  it.each([
    [{ parts: undefined }, 'must be a list of parts'],
    [{ parts: [] }, 'must have at least one part'],
    [{ parts: ['x'] }, 'each part must be an object'],
  ])('[W3] says of %j the most basic thing that is wrong', async (members, description) => {
    const params = readProtoJson(SendMessageParams, { message: { ...message, ...members } });
    await expect(validateParams(params)).rejects.toMatchObject({
      violations: [{ field: 'message.parts', description }],
    });
  });

  it('[W7] [B14] [B26] takes any identifier of up to 128 characters, counted as people count', async () => {
    await expect(
      send({ messageId: '😀'.repeat(128), contextId: '会話 1', taskId: '__proto__' }),
    ).resolves.toEqual([]);
  });

  it('[B10] takes an empty member beside the real one as not set', async () => {
    await expect(send({ parts: [{ text: 'hi', url: '', raw: '' }] })).resolves.toEqual([]);
  });

  it('[W3] names params that are missing altogether', async () => {
    await expect(fieldsRefused(SendMessageParams, {})).resolves.toEqual(['message']);
    await expect(fieldsRefused(SendMessageParams, { message: 'x' })).resolves.toContain('message');
    await expect(fieldsRefused(SendMessageParams, { message: [] })).resolves.toContain('message');
  });

  it.each(['yes', 'true', 1, {}])('[B78] refuses returnImmediately %j', async (returnImmediately) => {
    await expect(
      fieldsRefused(SendMessageParams, { message, configuration: { returnImmediately } }),
    ).resolves.toEqual(['configuration.returnImmediately']);
  });

  it.each([undefined, null, {}, [], '', ' ', 5])('[B143] refuses the task id %j', async (id) => {
    await expect(fieldsRefused(GetTaskParams, { id })).resolves.toEqual(['id']);
  });

  it.each([
    ['historyLength', -1, 1.5, 'x', 101, '101'],
    ['pageSize', 0, -1, 101, 1.5, 'x', 1e9],
    ['status', 'working', 'task_state_working', 'TASK_STATE_RUNNING', '', 99, '2'],
    ['statusTimestampAfter', 'not-a-timestamp', '', 12345, '2026-02-30T00:00:00Z', '2026-01-01'],
    ['includeArtifacts', 'true', 1],
    ['pageToken', 5, 'x'.repeat(2049)],
    ['contextId', ' ', 7],
  ])('[G3] [B04] [B07] [B102] names %s when it is out of range', async (field, ...values) => {
    for (const value of values) {
      await expect(fieldsRefused(ListTasksParams, { [field]: value })).resolves.toEqual([field]);
    }
  });

  it.each([
    { pageSize: 1 },
    { pageSize: '100' },
    { historyLength: 0 },
    { historyLength: 100 },
    { status: 2 },
  ])('[G3] takes %j', async (params) => {
    await expect(fieldsRefused(ListTasksParams, params)).resolves.toEqual([]);
  });
});

describe('timestamps', () => {
  it('[W6] [B07] reads any offset as the same instant', () => {
    expect(parseTimestamp('2026-01-01T05:30:00+05:30')).toBe(Date.UTC(2026, 0, 1));
    expect(parseTimestamp('2026-01-01t00:00:00z')).toBe(Date.UTC(2026, 0, 1));
  });

  it('[B08] rounds finer fractions up, so that the bound stays inclusive and exact', () => {
    expect(parseTimestamp('2026-01-01T00:00:00.123Z')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 123));
    expect(parseTimestamp('2026-01-01T00:00:00.123000001Z')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 124));
  });

  it.each([
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+99:99',
    '2025-02-29T00:00:00Z',
  ])('[B07] refuses %s', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});
