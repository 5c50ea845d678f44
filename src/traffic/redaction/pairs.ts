/** Names and values joined by `=` and `&`: queries and forms. What did not change keeps its very spelling. */
import { secret } from './classes/secrets.ts'
import { classOf, type KeyMeaning, meaningOf } from './keys.ts'
import { deeper, replaceWith, type Walk } from './walk.ts'

/** `+` is a space, and a broken escape stands for itself. */
export function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

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

export function redactPairs(walk: Walk, text: string, path: string, ofPerson = false): string {
  const pairs = text.split('&').map(pairOf)
  // Beside an e-mail address or a telephone number, a name is a person's.
  const person =
    ofPerson || pairs.some(({ meaning, value }) => classOf(meaning, value, {})?.personal === true)
  return pairs
    .map((pair) => {
      const next = redactedValue(walk, pair, `${path}/${pair.meaning.name}`, person)
      if (next === pair.value) return pair.text
      return pair.text.slice(0, pair.cut + 1) + encode(next)
    })
    .join('&')
}
