import { ReplyText, cutStatusText, cutToCodePoints } from './reply-text.js';

describe('texts of bounded size', () => {
  it('[S10] cuts between characters and tells whether it did', () => {
    expect(cutToCodePoints('a👋b', 2)).toEqual({ text: 'a👋', points: 2, cut: true });
    expect(cutToCodePoints('a👋b', 3)).toEqual({ text: 'a👋b', points: 3, cut: false });
    expect(cutToCodePoints('', 0)).toEqual({ text: '', points: 0, cut: false });
    expect(cutToCodePoints('x', 0)).toEqual({ text: '', points: 0, cut: true });
  });

  it('[S10] gathers pieces up to the limit and shows only what it keeps', () => {
    const shown: string[] = [];
    const text = new ReplyText((piece) => shown.push(piece), 3);
    for (const piece of ['a', '👋b', 'c', 'd']) text.push(piece);
    expect([text.toString(), text.truncated, shown]).toEqual(['a👋b', true, ['a', '👋b']]);
  });

  it('is not truncated by a text that fits exactly', () => {
    const text = new ReplyText(undefined, 2);
    text.push('ab');
    text.push('');
    expect(text.truncated).toBe(false);
  });

  it('keeps explanations within what the link takes, without half a character', () => {
    const cut = cutStatusText('x'.repeat(3998) + '👋👋');
    expect(cut.length).toBeLessThanOrEqual(4000);
    expect(cut).toBe('x'.repeat(3998) + '…');
    expect(cutStatusText('short')).toBe('short');
  });
});
