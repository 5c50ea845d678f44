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

/** Letters of other scripts that look like a Latin one, each above it. */
const lookalikes = [
  'аеорсухіјѕһԁԛԝАВЕКМНОРСТУХІЈЅαοντΑΒΕΖΗΙΚΜΝΟΡΤΥΧ‐‑−’',
  "aeopcyxijshdqwABEKMHOPCTYXIJSaovtABEZHIKMNOPTYX---'",
].map((line) => line.split(''))
const latinOf = new Map(lookalikes[0]?.map((sign, at) => [sign, lookalikes[1]?.[at] ?? sign]))

/** What two texts show alike: the composition of signs, the kind of a blank, signs without width. */
const shownForm = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s/gu, ' ')

const latinForm = (text: string): string =>
  shownForm(text).replaceAll(/[^ -~]/gu, (sign) => latinOf.get(sign) ?? sign)

const escapeAll = (text: string): string => text.replaceAll(/[^ -~]/gu, escapeOf)

/** A name with a sign that does not show, with every character beyond ASCII as in JSON. */
export const visibleName = (name: string): string =>
  shownForm(name) === name ? name : escapeAll(name)

/** Two texts; where they look the same and are not, with every character beyond ASCII as in JSON, `\u200b`. */
export function withVisibleDifference(
  left: string,
  right: string,
): readonly [left: string, right: string] {
  const looksAlike = left !== right && latinForm(left) === latinForm(right)
  return looksAlike ? [escapeAll(left), escapeAll(right)] : [left, right]
}

/** Writes them as in JSON, `\u202e`, so that they are visible; those in `kept` stay, such as line feeds. */
export const escapeControls = (text: string, kept = ''): string =>
  replaceControls(text, (control) =>
    kept.includes(control) ? control : (namedEscapes[control] ?? escapeOf(control)),
  )
