import { describe, expect, test } from 'vitest'
import { clipboardSequence, maxClipboardBytes } from './clipboard.ts'

describe('the clipboard of the terminal', () => {
  test('gets the text in base64, as UTF-8', () => {
    expect(clipboardSequence('Heloísa')).toEqual({
      ok: true,
      value: '\u{1b}]52;c;SGVsb8Otc2E=\u{7}',
    })
  })

  test('inside tmux the sequence comes plain, and wrapped with each escape doubled', () => {
    expect(clipboardSequence('a', { TMUX: '/tmp/tmux-0/default,1,0' })).toEqual({
      ok: true,
      value: '\u{1b}]52;c;YQ==\u{7}\u{1b}Ptmux;\u{1b}\u{1b}]52;c;YQ==\u{7}\u{1b}\\',
    })
  })

  test('inside screen it is wrapped', () => {
    expect(clipboardSequence('a', { STY: '1.pts' })).toEqual({
      ok: true,
      value: '\u{1b}P\u{1b}]52;c;YQ==\u{7}\u{1b}\\',
    })
  })

  test('a text that is too long, or empty, is refused, and nothing is written', () => {
    expect(clipboardSequence('x'.repeat(maxClipboardBytes)).ok).toBe(true)
    expect(clipboardSequence('x'.repeat(maxClipboardBytes + 1))).toMatchObject({
      ok: false,
      error: expect.stringMatching(/it has 74995 bytes, and a terminal takes at most 74994/),
    })
    expect(clipboardSequence('')).toMatchObject({ ok: false })
  })
})
