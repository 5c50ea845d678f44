/** The log line of a replayed exchange: match strategy or status, call, response status and reason. */
import type { ReplayedExchange } from '../../traffic/replay/replay-report.ts'
import { exchangeHeading, isDeviation, deviationLines } from '../compare/wording.ts'
import { stripControlChars } from '../table.ts'

export function answerLine(replayed: ReplayedExchange): string {
  const { rung, standing, live, because } = replayed
  const status = live?.reply?.status ?? live?.failure?.code ?? 'no answer'
  const [why] = isDeviation(replayed)
    ? deviationLines(replayed)
    : because === undefined
      ? []
      : [because]
  return stripControlChars(
    [
      (rung ?? standing).padEnd(7),
      exchangeHeading(replayed),
      status,
      ...(why === undefined ? [] : [why]),
    ].join('  '),
  )
}
