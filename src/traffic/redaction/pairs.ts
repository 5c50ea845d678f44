/** Names and values joined by `=` and `&`: queries and forms. What did not change keeps its very spelling. */
import { secret } from './classes/secrets.ts'
import { classOf, type KeyMeaning, meaningOf } from './keys.ts'
import { deeper, replaceWith, type Walk } from './walk.ts'

const escapes = /(?:%[\da-f]{2})+/gi
/** One letter's escapes; those of another alphabet than UTF-8 are none. */
const escapedLetter =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi

function unescaped(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}

/**
 * The text without its escapes. What is broken, or of another alphabet (`Jos%E9`), stands for itself, and hides nothing
 * of what stands beside it.
 */
export function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(escapes, (run) => run.replaceAll(escapedLetter, unescaped))
  }
}

/** `+` is a space. */
export const decode = (text: string): string => decodeEscapes(text.replaceAll('+', ' '))

/** Half a character, which a cut text may end in, has no escape. */
export const encode = (value: string): string => encodeURIComponent(value.toWellFormed())

interface Pair {
  readonly text: string
  readonly cut: number
  readonly value: string
  readonly meaning: KeyMeaning
}

function pairOf(text: string): Pair {
  const cut = text.indexOf('=')
  return {
    text,
    cut,
    value: decode(cut < 0 ? text : text.slice(cut + 1)),
    meaning: meaningOf(cut < 0 ? '' : decode(text.slice(0, cut))),
  }
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
  return walk.text(deeper(walk), value, path, meaning.isId)
}

const isPersonal = ({ meaning, value }: Pair): boolean =>
  classOf(meaning, value, {})?.personal === true

/** Whether pairs tell about a person: beside an e-mail address or a telephone number, a name is a person's. */
export const tellsOfPerson = (text: string): boolean => text.split('&').map(pairOf).some(isPersonal)

export function redactPairs(walk: Walk, text: string, path: string, ofPerson = false): string {
  const pairs = text.split('&').map(pairOf)
  const person = ofPerson || pairs.some(isPersonal)
  return pairs
    .map((pair) => {
      const next = redactedValue(walk, pair, `${path}/${pair.meaning.name}`, person)
      if (next === pair.value) return pair.text
      return pair.text.slice(0, pair.cut + 1) + encode(next)
    })
    .join('&')
}
