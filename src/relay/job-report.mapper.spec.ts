import { JOB_STATES, type JobReport } from '../relay-protocol/index.js';
import { fromSubmission, toTaskReport } from './job-report.mapper.js';

const updatedAt = '2026-01-02T03:04:05.678Z';

describe('reports in the words of the core', () => {
  it('[R4] maps every state of a job', () => {
    const states = JOB_STATES.map(
      (state) => toTaskReport({ jobId: 'a', state, revision: 1, updatedAt }).state,
    );
    expect(states).toEqual([
      'submitted',
      'working',
      'input_required',
      'completed',
      'failed',
      'canceled',
      'rejected',
    ]);
  });

  it('[S10] takes over what there is and nothing else', () => {
    const job: JobReport = {
      jobId: 'a',
      state: 'succeeded',
      revision: 4,
      reply: '',
      replyTruncated: true,
      updatedAt,
    };
    expect(toTaskReport(job)).toEqual({
      taskId: 'a',
      state: 'completed',
      revision: 4,
      reply: '',
      replyTruncated: true,
    });
  });

  it('[R4] an answer to a submission never uses up the revision that brings a result', () => {
    expect(fromSubmission('a', { state: 'running', revision: 2 })).toEqual({
      taskId: 'a',
      state: 'working',
      revision: 2,
    });
    expect(fromSubmission('a', { state: 'failed', revision: 2 })).toEqual({
      taskId: 'a',
      state: 'working',
      revision: 1,
    });
    expect(fromSubmission('a', { state: 'succeeded', revision: 0 }).revision).toBe(0);
  });
});
