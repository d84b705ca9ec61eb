import { cutText, publicExplanation } from './report-text.js';

describe('cutText', () => {
  it('[S10] leaves a text within the limit alone', () => {
    expect(cutText('héllo 👋', 7)).toEqual({ text: 'héllo 👋', cut: false });
  });

  it('[S10] counts code points and cuts between characters', () => {
    expect(cutText('👋👋👋', 2)).toEqual({ text: '👋👋', cut: true });
    expect(cutText(`${'a'.repeat(99_999)}👋b`, 100_000)).toEqual({
      text: `${'a'.repeat(99_999)}👋`,
      cut: true,
    });
  });

  it('replaces halves of characters, which no client can decode', () => {
    expect(cutText('a\ud83db\udc4bc', 100).text).toBe('a\ufffdb\ufffdc');
    expect(cutText('\ud83d', 100)).toEqual({ text: '\ufffd', cut: false });
  });
});

describe('publicExplanation', () => {
  it.each([
    ['Error: boom\n    at run (/home/ada/job.mjs:3:7)\n    at async main', 'Error: boom'],
    [
      'Traceback (most recent call last):\n  File "/srv/a.py", line 3, in <module>\nValueError: no',
      'ValueError: no',
    ],
    ["ENOENT: open '/home/ada/notes.txt'", "ENOENT: open '[path]'"],
    ['cannot read C:\\Users\\ada\\x.txt', 'cannot read [path]'],
    ['see https://example.org/a/b for 1/2 of it', 'see https://example.org/a/b for 1/2 of it'],
    ['at run (/home/ada/job.mjs:3:7)', ''],
    ['at noon it stopped', 'at noon it stopped'],
  ])('[B15] shows no stack and no path of the owner: %j', (text, shown) => {
    expect(publicExplanation(text)).toBe(shown);
  });
});
