/** Rate-limits the log lines of fault hits: the first hits one by one, then only counts at 10, 20, 50, 100 … */
import type { JournalRow } from '../session-api/session-api.ts'

/** Hits of one fault that are logged one by one. */
const maxLoggedHits = 3

export interface FaultHitSummary {
  /** The log line of a hit; undefined when it is only counted. */
  readonly lineFor: (row: JournalRow) => string | undefined
}

/** The name is the first word: `drop on ev(o1,CONFIRMED,webhook)`. */
const nameIn = (text: string): string => text.split(' ')[0] ?? text

const isRound = (count: number): boolean => /^[125]0+$/.test(String(count))

export function createFaultHitSummary(): FaultHitSummary {
  const counts = new Map<string, number>()
  return {
    lineFor({ text }) {
      const name = nameIn(text)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count < maxLoggedHits) return text
      if (count === maxLoggedHits) return `${text}; from now on it is counted`
      return isRound(count) ? `${name} has fired ${count} times` : undefined
    },
  }
}
