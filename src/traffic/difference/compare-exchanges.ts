/** What differs between a recorded exchange and what happened in its place now. */
import type { Exchange, HeaderPairs } from '../exchange.ts'
import type { Past } from './comparators.ts'
import type { Difference } from './difference.ts'
import { type Document, replyDocument, requestDocument, type Side } from './document.ts'
import type { RuleBook } from './rule-book.ts'
import { withoutStandIns } from './redacted-placeholders.ts'
import { walk } from './walk.ts'

/** What places held in the exchanges before, for rules that let a value only grow. One for each comparison of many. */
export interface Growth {
  readonly pastOf: (operation: string | undefined, side: Side, where: string) => Past
}

/** Places that are remembered. */
const mostPlaces = 10_000

export function createGrowth(): Growth {
  const greatest = new Map<string, number>()
  return {
    pastOf: (operation, side, where) => ({
      grows(value) {
        const key = `${operation} ${side} ${where}`
        const before = greatest.get(key)
        if (before !== undefined && value < before) return false
        if (before !== undefined || greatest.size < mostPlaces) greatest.set(key, value)
        return true
      },
    }),
  }
}

const alone: Growth = { pastOf: () => ({ grows: () => true }) }

/**
 * Every place in which two exchanges differ, the request's first. `live` speaks in the names and times of the recording
 * already. What a rule accepts is among them, and marked so.
 */
export function compareExchanges(
  recorded: Exchange,
  live: Exchange,
  rules: RuleBook,
  growth: Growth = alone,
): readonly Difference[] {
  const { operation } = recorded
  function told(side: Side, write: (exchange: Exchange, bare: boolean) => Document) {
    const page = rules.page(side, operation)
    // Rules that search may look at a body to judge a header.
    const bare = page.searched.length === 0 && isOneBody(recorded[side], live[side])
    return walk({
      side,
      page,
      recorded: write(recorded, bare),
      live: write(live, bare),
      pastOf: (where) => growth.pastOf(operation, side, where),
    })
  }
  const asked = told('request', requestDocument)
  const answered = told('reply', replyDocument)
  return withoutStandIns([...asked, ...answered], recorded, live)
}

type Message = { readonly headers: HeaderPairs; readonly body?: string } | undefined

const typeIn = (message: Message): string | undefined =>
  message?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** The same text of the same type differs nowhere, and need not be read for that. */
const isOneBody = (left: Message, right: Message): boolean =>
  left?.body === right?.body && typeIn(left) === typeIn(right)
