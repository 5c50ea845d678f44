/**
 * Key presses by name. A burst of keys arrives as one text and is split into graphemes; control characters in it get
 * the names of their keys.
 */
import type { Key } from 'ink'

export interface KeyPress {
  /** `j`, `K`, `ctrl-d`, `up`, `enter`, `esc`, `tab`, `shift-tab`, `space` … */
  readonly key: string
  /** Text that it types, if any. */
  readonly text?: string
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const named: Readonly<Record<string, string>> = {
  ' ': 'space',
  '\r': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
  '\u{1b}': 'esc',
  '\u{7f}': 'backspace',
  '\b': 'backspace',
}

function single(sign: string): KeyPress {
  const name = named[sign]
  if (name !== undefined) return sign === ' ' ? { key: name, text: sign } : { key: name }
  const code = sign.codePointAt(0) ?? 0
  if (code < 32) return { key: `ctrl-${String.fromCodePoint(code + 96)}` }
  return { key: sign, text: sign }
}

const special: readonly (readonly [flag: keyof Key, name: string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'esc'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
]

export function keyPressesOf(input: string, key: Key): readonly KeyPress[] {
  if (key.eventType === 'release') return []
  if (key.tab) return [{ key: key.shift ? 'shift-tab' : 'tab' }]
  const found = special.find(([flag]) => key[flag] === true)
  if (found) return [{ key: found[1] }]
  if (key.ctrl) return input === '' ? [] : [{ key: `ctrl-${input}` }]
  // Alt with a letter is unassigned and must not be taken for the letter.
  if (key.meta) return []
  return Array.from(graphemes.segment(input), ({ segment }) => single(segment))
}
