import { describe, expect, test } from 'vitest'
import {
  toAscii,
  cellWidth,
  sanitise,
  cutToCells,
  fitToCells,
  padToCells,
  wrapToCells,
} from './cells.ts'

describe('cells', () => {
  test('counts terminal cells, not characters', () => {
    expect(cellWidth('confirm')).toBe(7)
    expect(cellWidth('Açaí')).toBe(4)
    expect(cellWidth('Ac\u0327ai\u0301')).toBe(4)
    expect(cellWidth('寿司')).toBe(4)
    expect(cellWidth('🍕')).toBe(2)
    expect(cellWidth('● ‖ ▸')).toBe(5)
  })

  test('of joined emoji the first sign is shown, whose width every terminal knows', () => {
    const shown = (text: string): readonly [string, number] => [sanitise(text), cellWidth(text)]
    expect(shown('👨‍👩‍👧‍👦 da Nonna')).toEqual(['👨 da Nonna', 11])
    expect(shown('🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} pub')).toEqual([
      '🏴 pub',
      6,
    ])
    expect(shown('5\u{FE0F}\u{20E3} bar #\u{20E3}')).toEqual(['5 bar #', 7])
    expect(shown('🏳️‍🌈')).toEqual(['🏳️', 2])
    expect(shown('🙋🏽‍♂️!')).toEqual(['🙋!', 3])
    expect(shown('👍🏿')).toEqual(['👍', 2])
    // Flags, single signs and letters that are joined in other scripts stay.
    for (const text of ['🇧🇷', '🍕', '❤️', 'می‌خواهم', 'क्‍ष']) expect(sanitise(text)).toBe(text)
    expect(cellWidth(padToCells('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 3))).toBe(3)
  })

  test('a cut never splits a wide character', () => {
    expect(cutToCells('寿司', 3)).toBe('寿')
    expect(cutToCells('pizza', 3)).toBe('piz')
    expect(cutToCells('pizza', 0)).toBe('')
  })

  test('a cut is marked', () => {
    expect(fitToCells('ready-for-pickup', 8)).toBe('ready-f~')
    expect(fitToCells('ready', 8)).toBe('ready')
    expect(fitToCells('ready', 1)).toBe('r')
  })

  test('pad fills exactly the width, on the requested side', () => {
    expect(padToCells('12ms', 6, 'right')).toBe('  12ms')
    expect(padToCells('Açaí', 6)).toBe('Açaí  ')
    expect(cellWidth(padToCells('寿司寿司', 5))).toBe(5)
  })

  test('text from the wire cannot control the terminal', () => {
    const attack = '\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\r\n\tok\u202eback'
    const safe = sanitise(attack)
    expect(safe).not.toMatch(/\p{Cc}/u)
    expect(safe).not.toContain('\u202e')
    expect(safe).toContain('ok')
    expect(safe).toContain(String.raw`\u202eback`)
    expect(cellWidth(safe)).toBe(cellWidth(attack))
    for (const width of [4, 20, 100]) {
      expect(cellWidth(padToCells(attack, width))).toBe(width)
      expect(cellWidth(fitToCells(attack, width))).toBeLessThanOrEqual(width)
      for (const line of wrapToCells(attack, width))
        expect(cellWidth(line)).toBeLessThanOrEqual(width)
    }
    expect(wrapToCells(attack, 6).join('')).toBe(safe)
  })

  test('without Unicode, characters become as many question marks as they have cells', () => {
    expect(toAscii('Açaí 寿')).toBe('A?a? ??')
  })

  test('a long line is wrapped without loss', () => {
    const lines = wrapToCells('abcdefghij', 4)
    expect(lines).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrapToCells('', 4)).toEqual([''])
    expect(wrapToCells('寿司', 1)).toEqual([])
  })
})
