/** Redacts queries and forms: names and values joined by `=` and `&`. Unchanged pairs keep their spelling. */
import { contact, identifiesPerson } from './classes/contacts.ts'
import { personName } from './classes/persons.ts'
import { secret } from './classes/secrets.ts'
import { formDecode, percentEncode } from './percent-encoding.ts'
import { classForKey, evidenceOfClass, isQuiet, type KeyMeaning, keyMeaningOf } from './keys.ts'
import {
  withDeeperNotation,
  replaceByEvidence,
  type DocumentTopic,
  type RedactionWalk,
  costs,
} from './walk.ts'

interface Pair {
  /** The text before the value, `=` included. */
  readonly before: string
  readonly text: string
  readonly value: string
  readonly meaning: KeyMeaning
}

function pairOf(text: string): Pair {
  const cut = text.indexOf('=')
  const name = cut < 0 ? '' : formDecode(text.slice(0, cut))
  return {
    text,
    before: text.slice(0, cut + 1),
    value: formDecode(cut < 0 ? text : text.slice(cut + 1)),
    meaning: keyMeaningOf(name),
  }
}

/**
 * Redacts the name: documents are posted as the name of a field, and people are queried by address:
 * `?ana@example.org=1`.
 */
function withPlainName(walk: RedactionWalk, pair: Pair, path: string): Pair {
  if (pair.meaning.isPlain) return pair
  const name = formDecode(pair.before.slice(0, -1))
  const next = walk.text(withDeeperNotation(walk), name, `${path}/*`, true)
  if (next === name) return pair
  const before = `${percentEncode(next)}=`
  const text = before + pair.text.slice(pair.before.length)
  return { ...pair, text, before, meaning: keyMeaningOf(next) }
}

function redactedValue(
  walk: RedactionWalk,
  { value, meaning }: Pair,
  path: string,
  person: boolean,
): string {
  // In a query or a form, `code` is the authorization code of a token request.
  // It may also be that of a coupon, which stands elsewhere too.
  if (meaning.name === 'code')
    return replaceByEvidence(walk, secret, value, { path, evidence: 'placed' })
  // `/customers?search=…` finds a person by a contact.
  const isContact = person && !meaning.isId && identifiesPerson(value)
  const where = { person, isParameter: true }
  const definition = classForKey(meaning, value, where) ?? (isContact ? contact : undefined)
  if (!definition) return walk.text(withDeeperNotation(walk), value, path, isQuiet(meaning, value))
  const evidence = evidenceOfClass(meaning, definition)
  return replaceByEvidence(walk, definition, value, { path, evidence })
}

const isPersonal = ({ meaning, value }: Pair): boolean =>
  classForKey(meaning, value, {})?.identifiesPerson === true

/** Whether pairs are about a person: next to an e-mail address or a telephone number, a `name` is a person's. */
export const hasPersonalPair = (text: string): boolean =>
  text.split('&').map(pairOf).some(isPersonal)

/**
 * Whether a form is about a person: by its path, by a contact, or by a name as people have it; a `nome` beside a price is
 * that of a dish.
 */
export function isFormOfPerson({ person }: DocumentTopic, text: string): boolean {
  if (person !== undefined) return person || hasPersonalPair(text)
  const pairs = text.split('&').map(pairOf)
  return (
    pairs.some(isPersonal) ||
    (pairs.some(isPersonsName) &&
      !pairs.some(({ meaning }) => meaning.person === false || meaning.saysOfThing))
  )
}

const isPersonsName = ({ meaning, value }: Pair): boolean =>
  meaning.ofPerson?.id === 'name' && personName.fits?.(value) === true

export function redactPairs(
  walk: RedactionWalk,
  text: string,
  path: string,
  ofPerson = false,
): string {
  const texts = text.split('&')
  walk.spend?.(texts.length * costs.pair)
  const pairs = texts.map((each) => withPlainName(walk, pairOf(each), path))
  const person = ofPerson || pairs.some(isPersonal)
  return pairs
    .map((pair) => {
      const next = redactedValue(walk, pair, `${path}/${pair.meaning.name}`, person)
      if (next === pair.value) return pair.text
      return pair.before + percentEncode(next)
    })
    .join('&')
}
