/** Says when faults fire, without drowning in a storm: each hit while they are few, then their count in ever larger steps. */
import type { JournalRow } from '../session-api/session-api.ts'

/** Hits of one fault that are told one by one. */
const toldEach = 3

export interface FaultCount {
  /** What is to be said of a hit; undefined when it is only counted. */
  readonly hit: (row: JournalRow) => string | undefined
}

/** `drop on ev(o1,CONFIRMED,webhook)`: its name stands first. */
const nameIn = (text: string): string => text.split(' ')[0] ?? text

const isRound = (count: number): boolean => /^[125]0+$/.test(String(count))

export function createFaultCount(): FaultCount {
  const counts = new Map<string, number>()
  return {
    hit({ text }) {
      const name = nameIn(text)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count < toldEach) return text
      if (count === toldEach) return `${text}; from now on it is counted`
      return isRound(count) ? `${name} has fired ${count} times` : undefined
    },
  }
}
