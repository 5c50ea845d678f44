/** Redacts queries and forms: names and values joined by `=` and `&`. Unchanged pairs keep their spelling. */
import { contact, identifiesPerson } from './classes/contacts.ts'
import { secret } from './classes/secrets.ts'
import { classOf, type KeyMeaning, meaningOf } from './keys.ts'
import { deeper, replaceWith, type Walk } from './walk.ts'

const escapes = /(?:%[\da-f]{2})+/gi
/** The escapes of one UTF-8 character; those of other character sets do not match. */
const escapedCharacter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}

/**
 * Percent-decodes a text. Invalid escapes and those of other character sets (`Jos%E9`) stay, and the rest is still
 * decoded.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(escapes, (run) => run.replaceAll(escapedCharacter, decodeRun))
  }
}

/** `+` is a space. */
export const decode = (text: string): string => decodeEscapes(text.replaceAll('+', ' '))

/** A lone surrogate, as at the end of a truncated text, cannot be encoded. */
export const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

interface Pair {
  /** The text before the value, `=` included. */
  readonly before: string
  readonly text: string
  readonly value: string
  readonly meaning: KeyMeaning
}

function pairOf(text: string): Pair {
  const cut = text.indexOf('=')
  const name = cut < 0 ? '' : decode(text.slice(0, cut))
  return {
    text,
    before: text.slice(0, cut + 1),
    value: decode(cut < 0 ? text : text.slice(cut + 1)),
    meaning: meaningOf(name),
  }
}

/**
 * Redacts the name: documents are posted as the name of a field, and people are queried by address:
 * `?ana@example.org=1`.
 */
function withPlainName(walk: Walk, pair: Pair, path: string): Pair {
  if (pair.meaning.isPlain) return pair
  const name = decode(pair.before.slice(0, -1))
  const next = walk.text(deeper(walk), name, `${path}/*`, true)
  if (next === name) return pair
  const before = `${encode(next)}=`
  const text = before + pair.text.slice(pair.before.length)
  return { ...pair, text, before, meaning: meaningOf(next) }
}

function redactedValue(
  walk: Walk,
  { value, meaning }: Pair,
  path: string,
  person: boolean,
): string {
  // In a query or a form, `code` is the authorization code of a token request.
  const definition = meaning.name === 'code' ? secret : classOf(meaning, value, { person })
  if (definition) return replaceWith(walk, definition, value, path)
  // `/customers?search=…` finds a person by a contact.
  if (person && !meaning.isId && identifiesPerson(value))
    return replaceWith(walk, contact, value, path)
  return walk.text(deeper(walk), value, path, meaning.isId)
}

const isPersonal = ({ meaning, value }: Pair): boolean =>
  classOf(meaning, value, {})?.personal === true

/** Whether pairs are about a person: next to an e-mail address or a telephone number, a `name` is a person's. */
export const tellsOfPerson = (text: string): boolean => text.split('&').map(pairOf).some(isPersonal)

export function redactPairs(walk: Walk, text: string, path: string, ofPerson = false): string {
  const pairs = text.split('&').map((each) => withPlainName(walk, pairOf(each), path))
  const person = ofPerson || pairs.some(isPersonal)
  return pairs
    .map((pair) => {
      const next = redactedValue(walk, pair, `${path}/${pair.meaning.name}`, person)
      if (next === pair.value) return pair.text
      return pair.before + encode(next)
    })
    .join('&')
}
