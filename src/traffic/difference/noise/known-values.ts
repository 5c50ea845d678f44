/** Which of the values that differ are known elsewhere in the same exchanges, so that they cannot be generated anew. */
import { type Exchange, headerValue } from '../../exchange.ts'

interface ExchangePair {
  readonly recorded: Exchange
  readonly live: Exchange
}

const word = /[\w.~+/=:-]{4,200}/g
const separators = /[./=:]+/

function textsOf({ request, reply }: Exchange): readonly string[] {
  const location = headerValue(reply?.headers ?? [], 'location') ?? ''
  return [request.url, request.body ?? '', reply?.body ?? '', location]
}

/** A word, and its parts. */
const valuesOfWord = (text: string): readonly string[] =>
  separators.test(text) ? [text, ...text.split(separators)] : [text]

function valuesIn(exchanges: Iterable<Exchange>, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const see = (value: string): unknown => wanted.has(value) && found.add(value)
  for (const exchange of exchanges)
    for (const text of textsOf(exchange))
      for (const [match] of text.matchAll(word)) valuesOfWord(match).forEach(see)
  return found
}

/**
 * Tells whether a pair of identifiers cannot stand for each other: the recorded one still occurs live, or the live one
 * occurs in the recording.
 */
export function createForeignTest(
  pairs: readonly ExchangePair[],
  values: ReadonlySet<string>,
): (old: string, live: string) => boolean {
  if (values.size === 0) return () => false
  const inRecording = valuesIn(
    pairs.map(({ recorded }) => recorded),
    values,
  )
  const inReplay = valuesIn(
    pairs.map(({ live }) => live),
    values,
  )
  return (old, live) => inReplay.has(old) || inRecording.has(live)
}
