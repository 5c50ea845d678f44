/**
 * Escapes the characters by which a text can control a terminal or reorder what it shows: control characters (C0, DEL,
 * C1), marks, embeddings, overrides and isolates of text direction, separators of lines and paragraphs.
 */
const controls = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u
const allControls = new RegExp(controls, 'gu')

const namedEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export const hasControls = (text: string): boolean => controls.test(text)

export const replaceControls = (text: string, replace: (control: string) => string): string =>
  hasControls(text) ? text.replaceAll(allControls, replace) : text

const escapeOf = (char: string): string =>
  Array.from({ length: char.length }, (_, index) => char.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')

/** What two texts show alike: the composition of signs, the kind of a blank, signs without width. */
const shownForm = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s/gu, ' ')

/** Two texts; where they look the same and are not, with every character beyond ASCII as in JSON, `\u200b`. */
export function withVisibleDifference(
  left: string,
  right: string,
): readonly [left: string, right: string] {
  if (left === right || shownForm(left) !== shownForm(right)) return [left, right]
  const escaped = (text: string): string => text.replaceAll(/[^ -~]/gu, escapeOf)
  return [escaped(left), escaped(right)]
}

/** Writes them as in JSON, `\u202e`, so that they are visible; those in `kept` stay, such as line feeds. */
export const escapeControls = (text: string, kept = ''): string =>
  replaceControls(text, (control) =>
    kept.includes(control) ? control : (namedEscapes[control] ?? escapeOf(control)),
  )
