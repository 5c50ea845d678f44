import type { Key } from 'ink'
import { expect, test } from 'vitest'
import { pressesOf } from './key-press.ts'

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
  pressesOf(input, { ...none, ...key }).map((press) => press.key)

test('a burst that arrives as one text is as many keys', () => {
  expect(names('KKK')).toEqual(['K', 'K', 'K'])
  expect(names('jx ')).toEqual(['j', 'x', 'space'])
  expect(names('N\r')).toEqual(['N', 'enter'])
  expect(names('é🍕')).toEqual(['é', '🍕'])
})

test('control characters inside a burst are the keys that send them', () => {
  expect(names('a\u{3}\u{4}\t\u{7f}\u{1b}')).toEqual([
    'a',
    'ctrl-c',
    'ctrl-d',
    'tab',
    'backspace',
    'esc',
  ])
})

test('named keys have their names', () => {
  expect(names('', { upArrow: true })).toEqual(['up'])
  expect(names('', { tab: true, shift: true })).toEqual(['shift-tab'])
  expect(names('', { return: true })).toEqual(['enter'])
  expect(names('d', { ctrl: true })).toEqual(['ctrl-d'])
})

test('alt and a letter is not that letter, and releasing a key is no press', () => {
  expect(names('x', { meta: true })).toEqual([])
  expect(names('x', { eventType: 'release' })).toEqual([])
})

test('what a key types comes with it', () => {
  expect(pressesOf(' ', none)).toEqual([{ key: 'space', text: ' ' }])
  expect(pressesOf('', { ...none, escape: true })).toEqual([{ key: 'esc' }])
})
