import { describe, expect, test } from 'vitest'
import { appearanceOf } from '../appearance.ts'
import { bodyRows } from './json.ts'
import { paintRow } from './paint.ts'
import { paletteOf, themeNames } from './palette.ts'
import { columnSpans, rowWithEnds, plainText, row, span, fittingPairs, widthOf } from './row.ts'

const coloured = appearanceOf({ TERM: 'xterm', LANG: 'C.UTF-8' })

describe('rows', () => {
  test('columns fill their width exactly for any content', () => {
    for (const width of [20, 33, 64, 120]) {
      const spans = columnSpans(width, [
        { text: 'a long first column', width: 8 },
        { text: 'Açaí do Bairro em São Paulo, and much more text than fits' },
        { text: '12ms', width: 6, align: 'right' },
      ])
      expect(widthOf(spans)).toBe(width)
    }
  })

  test('trailing text of a cell is shown only if there is room', () => {
    const wide = columnSpans(30, [{ text: 'confirm', more: 'CREATED > CONFIRMED' }])
    expect(plainText({ spans: wide })).toBe('confirm  CREATED > CONFIRMED  ')
    const narrow = columnSpans(8, [{ text: 'confirm', more: 'CREATED > CONFIRMED' }])
    expect(plainText({ spans: narrow })).toBe('confirm ')
  })

  test('the left text is cut before the right one', () => {
    const both = rowWithEnds(12, [span('a long text')], [span('right')])
    expect(plainText(both)).toBe('a lon~ right')
  })

  test('a key is shown with its full name or not at all', () => {
    const pairs = [span('n '), span('step '), span('N '), span('new order ')]
    expect(plainText({ spans: fittingPairs(pairs, 12) })).toBe('n step ')
  })
})

describe('painting', () => {
  test('a tone becomes an escape sequence that is reset after its text', () => {
    expect(paintRow(row(span('409', 'warn'), span(' x')), 20, coloured)).toBe(
      '\u{1b}[33m409\u{1b}[0m x',
    )
  })

  test('the chosen row is inverse over its whole width, and nothing else', () => {
    const painted = paintRow({ spans: [span('>409', 'err')], chosen: 'here' }, 8, coloured)
    expect(painted).toBe('\u{1b}[7m>409    \u{1b}[0m')
  })

  test('escape sequences in text are neutralised', () => {
    expect(paintRow(row(span('\u{1b}[31mred')), 20, coloured)).toBe(String.raw`\u001b[31mred`)
  })

  test('without colours bold and inverse remain; a dumb terminal gets no escape sequences', () => {
    const none = appearanceOf({ TERM: 'xterm', NO_COLOR: '1', LANG: 'C.UTF-8' })
    const dumb = appearanceOf({ TERM: 'dumb' })
    expect(paintRow(row(span('409', 'err')), 20, none)).toBe('\u{1b}[1m409\u{1b}[0m')
    expect(paintRow({ spans: [span('>409', 'err')], chosen: 'here' }, 20, dumb)).toBe('>409')
  })

  test('the ASCII glyph set writes only ASCII', () => {
    const ascii = appearanceOf({ TERM: 'linux' })
    expect(paintRow(row(span('Açaí')), 20, ascii)).toBe('A?a?')
  })

  test('every theme defines every tone at every depth', () => {
    for (const theme of themeNames)
      for (const depth of ['plain', 'none', '16', '256', '24bit'] as const)
        for (const [name, codes] of Object.entries(paletteOf(theme, depth)))
          if (name !== 'inverse') expect(codes, `${theme} ${depth} ${name}`).toMatch(/^[\d;]*$/)
    expect(paletteOf('cb-dark', '24bit').warn).toBe('38;2;230;159;0')
    expect(paletteOf('cb-dark', '256').warn).toBe('38;5;178')
    expect(paletteOf('mono', '24bit').err).toBe('1')
  })

  test('success and failure differ in every theme with colours', () => {
    for (const theme of ['auto', 'cb-dark', 'cb-light', 'high-contrast'] as const) {
      const { ok, err } = paletteOf(theme, '16')
      expect(ok).not.toBe(err)
    }
  })
})

describe('bodies', () => {
  test('JSON is indented, and other text stays unchanged', () => {
    expect(bodyRows('{"a":[1,"x"]}', 40).map(plainText)).toEqual([
      '{',
      '  "a": [',
      '    1,',
      '    "x"',
      '  ]',
      '}',
    ])
    expect(bodyRows('<html>\nno', 40).map(plainText)).toEqual(['<html>', 'no'])
    expect(bodyRows(undefined, 40).map(plainText)).toEqual(['(no body)'])
  })

  test('a long value is wrapped', () => {
    const rows = bodyRows(JSON.stringify({ note: 'x'.repeat(50) }), 20)
    expect(rows.every(({ spans }) => widthOf(spans) <= 20)).toBe(true)
    expect(rows.map(plainText).join('')).toContain('x'.repeat(20))
  })
})
