/** Differences between a recorded exchange and the live exchange matched to it. */
import type { Exchange, HeaderPairs } from '../exchange.ts'
import type { Past } from './comparators.ts'
import type { Difference } from './difference.ts'
import { type Document, replyDocument, requestDocument, type Side } from './document.ts'
import type { RuleBook } from './rule-book.ts'
import { withoutStandIns } from './redacted-placeholders.ts'
import { walk } from './walk.ts'

/**
 * Highest values per place over the exchanges compared so far, for `monotonic` rules. One instance per comparison of
 * recordings.
 */
export interface Growth {
  readonly pastOf: (operation: string | undefined, side: Side, where: string) => Past
}

/** Maximum number of places remembered. */
const maxPlaces = 10_000

export function createGrowth(): Growth {
  const greatest = new Map<string, number>()
  return {
    pastOf: (operation, side, where) => ({
      grows(value) {
        const key = `${operation} ${side} ${where}`
        const before = greatest.get(key)
        if (before !== undefined && value < before) return false
        if (before !== undefined || greatest.size < maxPlaces) greatest.set(key, value)
        return true
      },
    }),
  }
}

const noHistory: Growth = { pastOf: () => ({ grows: () => true }) }

/**
 * All differences between two exchanges, those of the request first. Identifiers and times of `live` are already
 * mapped to the recording's. Accepted differences are included, with `accepted` set.
 */
export function compareExchanges(
  recorded: Exchange,
  live: Exchange,
  rules: RuleBook,
  growth: Growth = noHistory,
): readonly Difference[] {
  const { operation } = recorded
  function compareSide(side: Side, write: (exchange: Exchange, bare: boolean) => Document) {
    const page = rules.page(side, operation)
    // Search rules may read the body to judge a header.
    const bare = page.searched.length === 0 && isEqualBody(recorded[side], live[side])
    return walk({
      side,
      page,
      recorded: write(recorded, bare),
      live: write(live, bare),
      pastOf: (where) => growth.pastOf(operation, side, where),
    })
  }
  const requestDifferences = compareSide('request', requestDocument)
  const replyDifferences = compareSide('reply', replyDocument)
  return withoutStandIns([...requestDifferences, ...replyDifferences], recorded, live)
}

type Message = { readonly headers: HeaderPairs; readonly body?: string } | undefined

const contentTypeOf = (message: Message): string | undefined =>
  message?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** An equal body of an equal content type cannot differ, so it is not parsed. */
const isEqualBody = (left: Message, right: Message): boolean =>
  left?.body === right?.body && contentTypeOf(left) === contentTypeOf(right)
