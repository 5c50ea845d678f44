import { compact } from '../../../core/base/compact.ts'
import { expect, test } from 'vitest'
import { appearanceOf, type Environment } from './appearance.ts'

const warn = (environment: Environment, colour?: boolean): string =>
  appearanceOf(environment, { theme: 'cb-dark', ...compact({ colour }) }).palette.warn

test('the colour depth follows TERM and COLORTERM', () => {
  expect(warn({ TERM: 'xterm' })).toBe('33')
  expect(warn({ TERM: 'xterm-256color' })).toBe('38;5;178')
  expect(warn({ TERM: 'xterm', COLORTERM: 'truecolor' })).toBe('38;2;230;159;0')
  expect(warn({ TERM: 'dumb' })).toBe('')
})

test('FORCE_COLOR overrides NO_COLOR, and a flag overrides both', () => {
  expect(warn({ TERM: 'xterm', NO_COLOR: '1' })).toBe('')
  expect(warn({ TERM: 'xterm', NO_COLOR: '' })).toBe('33')
  expect(warn({ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' })).toBe('33')
  expect(warn({ TERM: 'dumb', FORCE_COLOR: '3' })).toBe('38;2;230;159;0')
  expect(warn({ TERM: 'xterm', FORCE_COLOR: '0' })).toBe('')
  expect(warn({ TERM: 'xterm', FORCE_COLOR: '1' }, false)).toBe('')
  expect(warn({ TERM: 'xterm', NO_COLOR: '1' }, true)).toBe('33')
})

test('Unicode glyphs need a locale with UTF-8', () => {
  const ascii = (environment: Environment): boolean => appearanceOf(environment).glyphs.asciiOnly
  expect(ascii({ TERM: 'xterm', LANG: 'en_US.UTF-8' })).toBe(false)
  expect(ascii({ TERM: 'xterm', LANG: 'C' })).toBe(true)
  expect(ascii({ TERM: 'xterm', LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' })).toBe(true)
  expect(ascii({ TERM: 'linux', LANG: 'en_US.UTF-8' })).toBe(true)
  expect(ascii({ TERM: 'xterm' })).toBe(false)
  expect(appearanceOf({ LANG: 'C' }, { glyphs: 'unicode' }).glyphs.asciiOnly).toBe(false)
})
