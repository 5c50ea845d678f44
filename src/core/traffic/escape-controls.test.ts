/** What a partner writes is seen, and neither controls the terminal nor reorders what it shows. */
import { execFileSync } from 'node:child_process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  escapeControls,
  hasControls,
  visibleName,
  withVisibleDifference,
} from './escape-controls.ts'
import { shellQuoted } from './curl-command.ts'

const controls = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, index) => 0x7f + index),
  0x61c,
  0x20_0e,
  0x20_0f,
  ...Array.from({ length: 7 }, (_, index) => 0x20_28 + index),
  ...Array.from({ length: 4 }, (_, index) => 0x20_66 + index),
].map((code) => String.fromCharCode(code))

test('control characters, marks and overrides of direction and separators are written as escapes', () => {
  for (const control of controls) {
    const shown = escapeControls(`a${control}b`)
    expect(shown).toMatch(/^a\\(?:[nrt]|u[\da-f]{4})b$/)
    expect(JSON.parse(`"${shown}"`)).toBe(`a${control}b`)
  }
  expect(escapeControls('a\n\tb\u202E', '\n\t')).toBe('a\n\tb\\u202e')
})

test('texts of any language, emoji and joiners stay', () => {
  for (const text of ['Pão de queijo', '寿司', 'مرحبا', 'שלום', '👩‍🍳 ok', 'e\u0301', 'a\u00A0b'])
    expect(escapeControls(text)).toBe(text)
})

test('a shell has the text as it was, and the terminal sees none of the characters', () => {
  const argument = fc
    .array(fc.oneof(fc.constantFrom(...controls.slice(1)), fc.string({ maxLength: 5 })), {
      maxLength: 8,
    })
    .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed())
  const cases = [
    ...fc.sample(argument, { seed: 1, numRuns: 40 }),
    `it's ${controls.slice(1).join('')}`,
  ]
  const words = cases.map(shellQuoted)
  for (const word of words) expect(hasControls(word.replaceAll(/[\n\t]/g, ''))).toBe(false)
  const script = `for each in ${words.join(' ')}; do printf '%s\\0' "$each"; done`
  const seen = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(seen).toEqual(cases)
})

test('two texts that look the same and are not are told apart, and others stay as they are', () => {
  for (const [left, right, shown] of [
    ['caf\u00e9', 'cafe\u0301', ['caf\\u00e9', 'cafe\\u0301']],
    ['HB\u200b-1', 'HB-1', ['HB\\u200b-1', 'HB-1']],
    ['10\u00a0kg', '10 kg', ['10\\u00a0kg', '10 kg']],
    ['\ufeffid', 'id', ['\\ufeffid', 'id']],
    ['\u{e0061}a', 'a', ['\\udb40\\udc61a', 'a']],
    ['P\u0410O', 'PAO', ['P\\u0410O', 'PAO']],
    ['10\u20115', '10-5', ['10\\u20115', '10-5']],
    ['Pão', 'Pães', ['Pão', 'Pães']],
    ['Pão', 'Pão', ['Pão', 'Pão']],
  ] as const)
    expect(withVisibleDifference(left, right)).toEqual(shown)
})

test('a name shows what it holds: a soft hyphen and a loose accent are escaped, a letter with an accent is not', () => {
  expect(['/na\u00adme', '/prec\u0327o', '/preço', '/a b'].map(visibleName)).toEqual([
    '/na\\u00adme',
    '/prec\\u0327o',
    '/preço',
    '/a b',
  ])
})
