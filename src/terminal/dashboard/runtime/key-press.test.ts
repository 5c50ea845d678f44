import type { Key } from 'ink'
import { expect, test } from 'vitest'
import { keyPressesOf } from './key-press.ts'

const none: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
}
const names = (input: string, key: Partial<Key> = {}): readonly string[] =>
  keyPressesOf(input, { ...none, ...key }).map((press) => press.key)

test('a burst of keys in one text is split into single keys', () => {
  expect(names('KKK')).toEqual(['K', 'K', 'K'])
  expect(names('jx ')).toEqual(['j', 'x', 'space'])
  expect(names('N\r')).toEqual(['N', 'enter'])
  expect(names('é🍕')).toEqual(['é', '🍕'])
})

test('control characters in a burst become named keys', () => {
  expect(names('a\u{3}\u{4}\t\u{7f}\u{1b}')).toEqual([
    'a',
    'ctrl-c',
    'ctrl-d',
    'tab',
    'backspace',
    'esc',
  ])
})

test('special keys are reported by name', () => {
  expect(names('', { upArrow: true })).toEqual(['up'])
  expect(names('', { tab: true, shift: true })).toEqual(['shift-tab'])
  expect(names('', { return: true })).toEqual(['enter'])
  expect(names('d', { ctrl: true })).toEqual(['ctrl-d'])
})

test('alt with a letter and key releases are ignored', () => {
  expect(names('x', { meta: true })).toEqual([])
  expect(names('x', { eventType: 'release' })).toEqual([])
})

test('a key press carries the text that it types', () => {
  expect(keyPressesOf(' ', none)).toEqual([{ key: 'space', text: ' ' }])
  expect(keyPressesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }])
})
