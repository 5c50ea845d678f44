/** Differences between a recorded exchange and the live exchange matched to it. */
import { type Exchange, type HeaderPairs, headerValue } from '../exchange.ts'
import type { PlaceHistory } from './comparators.ts'
import type { Difference } from './difference.ts'
import {
  type MessageDocument,
  replyDocument,
  requestDocument,
  type DocumentSide,
} from './document.ts'
import type { RuleBook } from './rule-book.ts'
import { acceptPlaceholders } from './redacted-placeholders.ts'
import { createTentativeNoise, type TentativeNoise } from './noise/noise.ts'
import { compareDocuments } from './compare-documents.ts'

/**
 * Highest values per place over the exchanges compared so far, for `monotonic` rules. One instance per comparison of
 * recordings.
 */
export interface MonotonicHistory {
  readonly historyOf: (
    operation: string | undefined,
    side: DocumentSide,
    where: string,
  ) => PlaceHistory
}

/** What earlier comparisons tell about the next one. */
export interface ComparisonHistory extends MonotonicHistory {
  /** Recognises noise; without it, only the rules accept differences. */
  readonly noise?: TentativeNoise
}

/** Maximum number of places remembered. */
const maxPlaces = 10_000

export function createMonotonicHistory(): MonotonicHistory {
  const greatest = new Map<string, number>()
  return {
    historyOf: (operation, side, where) => ({
      isMonotonic(value) {
        const key = `${operation} ${side} ${where}`
        const before = greatest.get(key)
        if (before !== undefined && value < before) return false
        if (before !== undefined || greatest.size < maxPlaces) greatest.set(key, value)
        return true
      },
    }),
  }
}

/** The history of a replay that runs: noise is recognised by the exchanges so far. */
export const createReplayHistory = (): ComparisonHistory => ({
  ...createMonotonicHistory(),
  noise: createTentativeNoise(),
})

const noHistory: ComparisonHistory = { historyOf: () => ({ isMonotonic: () => true }) }

/**
 * All differences between two exchanges, those of the request first. Identifiers and times of `live` are already
 * mapped to the recording's. Accepted differences are included, with `accepted` set.
 */
export function compareExchanges(
  recorded: Exchange,
  live: Exchange,
  rules: RuleBook,
  history: ComparisonHistory = noHistory,
): readonly Difference[] {
  const { operation } = recorded
  function compareSide(
    side: DocumentSide,
    write: (exchange: Exchange, bare: boolean) => MessageDocument,
  ) {
    const page = rules.page(side, operation)
    // Search rules may read the body to judge a header.
    const bare = page.searched.length === 0 && isEqualBody(recorded[side], live[side])
    return compareDocuments({
      side,
      rules: page,
      recorded: write(recorded, bare),
      live: write(live, bare),
      historyOf: (where) => history.historyOf(operation, side, where),
    })
  }
  const requestDifferences = compareSide('request', requestDocument)
  const replyDifferences = compareSide('reply', replyDocument)
  const differences = acceptPlaceholders(
    [...requestDifferences, ...replyDifferences],
    recorded,
    live,
  )
  return history.noise ? history.noise.accept({ recorded, live, differences }) : differences
}

type Message = { readonly headers: HeaderPairs; readonly body?: string } | undefined

const contentTypeOf = (message: Message): string | undefined =>
  message && headerValue(message.headers, 'content-type')

/** An equal body of an equal content type cannot differ, so it is not parsed. */
const isEqualBody = (left: Message, right: Message): boolean =>
  left?.body === right?.body && contentTypeOf(left) === contentTypeOf(right)
