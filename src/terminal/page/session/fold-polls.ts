/** Folds idle polls: those of one caller that follow each other without anything between are one row. */
import { isIdlePoll } from '../../../core/traffic/polling.ts'
import { operationOrPath, partyKey } from './exchange-text.ts'
import type { ReportedExchange } from './report-content.ts'

/** An exchange, or several idle polls of which it is the first. */
export interface FoldedExchange {
  readonly exchange: ReportedExchange
  /** 1 for a single exchange. */
  readonly times: number
  /** The last of them. */
  readonly last: ReportedExchange
}

/** A poll that nothing is to be said about. */
export const isQuietPoll = (exchange: ReportedExchange): boolean =>
  isIdlePoll(exchange) &&
  exchange.failure === undefined &&
  exchange.fault === undefined &&
  exchange.advice === undefined &&
  exchange.note === undefined

const timesOf = ({ repeated }: ReportedExchange): number => repeated?.times ?? 1

/** `isKept` tells of exchanges that stay on their own, such as evidence. */
export function foldPolls(
  exchanges: readonly ReportedExchange[],
  isKept: (exchange: ReportedExchange) => boolean,
): readonly FoldedExchange[] {
  const rows: FoldedExchange[] = []
  for (const exchange of exchanges) {
    const before = rows.at(-1)
    const isQuiet = isQuietPoll(exchange) && !isKept(exchange)
    const isSame =
      before !== undefined &&
      isQuiet &&
      isQuietPoll(before.exchange) &&
      !isKept(before.exchange) &&
      partyKey(before.exchange.from) === partyKey(exchange.from) &&
      partyKey(before.exchange.to) === partyKey(exchange.to)
    const times = timesOf(exchange)
    if (isSame) rows.splice(-1, 1, { ...before, times: before.times + times, last: exchange })
    else rows.push({ exchange, times, last: exchange })
  }
  return rows
}

/** `#12–#40 pollingEvents, 29 idle polls`. */
export function idlePollsText({ exchange, times, last }: FoldedExchange): string {
  const range = last === exchange ? `#${exchange.seq}` : `#${exchange.seq}–#${last.seq}`
  return `${range} ${operationOrPath(exchange)}, ${times} idle polls`
}
