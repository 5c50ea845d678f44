/**
 * Recognises texts that redaction does not read, such as `<order><name>Ana</name></order>`, a table or `customer: Ana`:
 * they are replaced whole, since what a part of them means would be a guess.
 */
import { isOpaque } from './distinctive.ts'
import { classForKey, hasClass, type KeyMeaning, keyMeaningOf } from './keys.ts'
import { lengthPlaceholder } from './pseudonyms.ts'
import { replaceByClass, type RedactionWalk } from './walk.ts'

const markup = /^[\s\uFEFF]*(?:<[?!][^<>]*>\s*)*<(?:[\w.-]+:)?[a-z_][\w.-]*[\s/>]/i
/** Any tag but those of plain formatting, which names of dishes and templates of messages have. */
const telling = /<(?!\/?(?:b|i|u|p|br|em|strong|small|ul|ol|li)\s*\/?>)[a-z?!/]/i

const graphql =
  /^(?:\s|#[^\n]*\n)*(?:(?:query|mutation|subscription|fragment)\b[^{}]*\{|\{\s*[A-Za-z_]\w*\s*[({])/

/** `{ order(id: 1) { total } }` begins like JSON. */
export const isGraphql = (text: string): boolean => text.includes('{') && graphql.test(text)

const columnName = /^"?[\p{L}_][\p{L}\p{M}\d _.()/-]{0,40}"?$/u

/** Whether the first line names the columns of a table, and one of the names says what is below it. */
function isTable(text: string): boolean {
  const [first = '', second = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 2)
  return [',', ';', '\t', '|'].some((delimiter) => {
    const names = first.split(delimiter).map((name) => name.trim())
    if (names.length < 2 || second.split(delimiter).length < names.length) return false
    return names.every((name) => columnName.test(name)) && names.map(keyMeaningOf).some(hasClass)
  })
}

const keyLine =
  /^[ \t]*(?:- +)*(["']?)([\p{L}_$][\p{L}\p{M}\d_$ .-]{0,40}?)\1(?:[ \t]*[:=](?:[ \t]+|\r?$)|=)/u

/** Whether a key says what its line holds. */
const isTelling = (meaning: KeyMeaning): boolean =>
  hasClass(meaning) || meaning.person === true || Object.keys(meaning.inPlace).length > 0

const hasTellingKey = (text: string): boolean =>
  text.split('\n').some((line) => isTelling(keyMeaningOf(keyLine.exec(line)?.[2] ?? '')))

/** Whether a body begins as XML or HTML does. */
export const isMarkup = (text: string): boolean => markup.test(text)

const tagWithin =
  /<([a-z_][\w.:-]{0,60})((?:\s{1,9}[a-z_][\w.:-]{0,60}\s?=\s?(?:"[^"<>]{0,2000}"|'[^'<>]{0,2000}')){0,40})(\s?\/?>)(?:([^<>]{1,2000})(?=<\/))?/gi
const attribute = /([\w.:-]+)(\s?=\s?)("[^"]*"|'[^']*')/g

/** Redacts the attributes and elements of a fragment of markup within a sentence. */
export function redactMarkupWithin(walk: RedactionWalk, text: string, path: string): string {
  if (!text.includes('<')) return text
  return text.replaceAll(tagWithin, (...found: readonly (string | undefined)[]) => {
    const [, name = '', attributes = '', end = '', inner] = found
    const next = attributes.replaceAll(
      attribute,
      (_, key: string, sign: string, quoted: string) => {
        const mark = quoted.slice(0, 1)
        return key + sign + mark + redactPart(walk, key, quoted.slice(1, -1), path) + mark
      },
    )
    return `<${name}${next}${end}${inner === undefined ? '' : redactPart(walk, name, inner, path)}`
  })
}

/** What an attribute or an element holds: by its class, or blanked where that depends on what is around it. */
function redactPart(walk: RedactionWalk, name: string, value: string, path: string): string {
  const meaning = keyMeaningOf(name.replace(/^.*:/, ''))
  const definition = classForKey(meaning, value, { isParameter: true })
  if (definition) return replaceByClass(walk, definition, value, path)
  const isPersonal = meaning.ofPerson !== undefined && telling.test(`<${name}>`)
  if (!isPersonal || value.trim() === '') return value
  walk.report(path, meaning.ofPerson.id)
  return lengthPlaceholder(value)
}

/**
 * Whether a text is markup, GraphQL, a table, or lines of keys and values as in YAML. One line with a key is so only as
 * a body: within a document it is rather the text of a message.
 */
export function isUnreadNotation(text: string, isBody: boolean): boolean {
  if (markup.test(text) && (isBody || telling.test(text))) return true
  if (isGraphql(text)) return true
  if (/^\s*[{[]/.test(text)) return false
  if (!text.includes('\n')) return isBody && hasTellingKey(text)
  return isTable(text) || hasTellingKey(text)
}

/** `<apiKey>…<`, `apiKey="…"`, `apiKey: …`: a name and its value, in whatever notation. */
const namedValue =
  /([\p{L}_][\p{L}\p{M}\d_.-]{1,40})["']?\s{0,3}(?:>([^<]{3,2000})<|[:=]\s{0,3}(?:"([^"]{3,2000})"|'([^']{3,2000})'|([^\s"'<>,;)}]{3,2000})))/gu

/** Learns what a text that is replaced whole names, so that it is replaced where nothing names it as well. */
export function learnNamedValues(walk: RedactionWalk, text: string, path: string): void {
  if (!walk.known) return
  const silent: RedactionWalk = { ...walk, report: () => undefined }
  for (const [, name = '', ...values] of text.matchAll(namedValue)) {
    const value = values.find((each) => each !== undefined)?.trim()
    if (value === undefined || value === '') continue
    const { always, whenOpaque } = keyMeaningOf(name)
    const definition = always ?? (isOpaque(value, { isParameter: true }) ? whenOpaque : undefined)
    if (definition) replaceByClass(silent, definition, value, path)
  }
}
