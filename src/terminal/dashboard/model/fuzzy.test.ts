import { describe, expect, test } from 'vitest'
import { fuzzyMatch } from './fuzzy.ts'

const best = (query: string, texts: readonly string[]): string | undefined =>
  texts
    .map((text) => ({ text, match: fuzzyMatch(query, text) }))
    .filter(({ match }) => match)
    .toSorted((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))[0]?.text

describe('a fuzzy match', () => {
  test.each([
    ['dup', 'duplicate it: it will happen twice'],
    ['fad', 'fault: add drop'],
    ['release', 'release all held items'],
    ['rls all', 'release all held items'],
    ['items hold', 'hold items'],
    ['DROP', 'fault: add drop'],
  ])('%s finds "%s"', (query, text) => {
    expect(fuzzyMatch(query, text)).toBeDefined()
  })

  test('needs every letter, in its order', () => {
    expect(fuzzyMatch('pud', 'duplicate')).toBeUndefined()
    expect(fuzzyMatch('duplicatex', 'duplicate')).toBeUndefined()
    expect(fuzzyMatch('drop nothing', 'drop it')).toBeUndefined()
  })

  test('names the matched characters, and prefers whole words to scattered letters', () => {
    expect(fuzzyMatch('step', 'see the past; step')?.positions).toEqual([14, 15, 16, 17])
    expect(fuzzyMatch('ca', 'clock advance')?.positions).toEqual([0, 6])
    expect(best('drop', ['do it for each step', 'fault: add drop', 'drop it'])).toBe('drop it')
    expect(best('undo', ['until now do', 'undo the last edit'])).toBe('undo the last edit')
  })

  test('an empty query matches all alike', () => {
    expect(fuzzyMatch('  ', 'anything')).toEqual({ score: 0, positions: [] })
  })
})
