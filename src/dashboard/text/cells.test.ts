import { describe, expect, test } from 'vitest'
import { asciiOf, cells, clean, cut, fit, pad, wrap } from '../view/text/cells.ts'

describe('cells', () => {
  test('counts terminal cells, not characters', () => {
    expect(cells('confirm')).toBe(7)
    expect(cells('Açaí')).toBe(4)
    expect(cells('Ac\u0327ai\u0301')).toBe(4)
    expect(cells('寿司')).toBe(4)
    expect(cells('🍕')).toBe(2)
    expect(cells('● ‖ ▸')).toBe(5)
  })

  test('a cut never splits a wide character', () => {
    expect(cut('寿司', 3)).toBe('寿')
    expect(cut('pizza', 3)).toBe('piz')
    expect(cut('pizza', 0)).toBe('')
  })

  test('a cut is marked', () => {
    expect(fit('ready-for-pickup', 8)).toBe('ready-f~')
    expect(fit('ready', 8)).toBe('ready')
    expect(fit('ready', 1)).toBe('r')
  })

  test('pad fills exactly the width, on the requested side', () => {
    expect(pad('12ms', 6, 'right')).toBe('  12ms')
    expect(pad('Açaí', 6)).toBe('Açaí  ')
    expect(cells(pad('寿司寿司', 5))).toBe(5)
  })

  test('text from the wire cannot control the terminal', () => {
    const attack = '\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\r\n\tok\u202eback'
    const safe = clean(attack)
    expect(safe).not.toMatch(/\p{Cc}/u)
    expect(safe).not.toContain('\u202e')
    expect(safe).toContain('ok')
    expect(cells(safe)).toBe(cells(attack))
  })

  test('without Unicode, characters become as many question marks as they have cells', () => {
    expect(asciiOf('Açaí 寿')).toBe('A?a? ??')
  })

  test('a long line is wrapped without loss', () => {
    const lines = wrap('abcdefghij', 4)
    expect(lines).toEqual(['abcd', 'efgh', 'ij'])
    expect(wrap('', 4)).toEqual([''])
    expect(wrap('寿司', 1)).toEqual([])
  })
})
